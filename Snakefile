"""Kasu from its top: all of it stands in workflow/Snakefile, which catalogues of workflows ask for."""


include: "workflow/Snakefile"


build_by_default("all")
