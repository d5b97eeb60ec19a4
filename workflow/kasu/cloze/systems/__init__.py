"""Families of systems, one module each (`kasu.transduction.members.families`)."""
