"""Families of systems, one module each (`kasu.inflection.members.families`)."""
