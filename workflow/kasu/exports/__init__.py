"""Datasets in the forms that other programs read: `kasu export`."""
