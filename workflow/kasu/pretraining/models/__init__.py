"""Systems of the study: published models, nulls, and histories of trainings."""
