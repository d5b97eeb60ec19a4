"""Systems of task 1, a module each: `inflect`, and DRAWS, whether it draws from seeds.

Rule files read DRAWS, so torch is imported inside functions.
"""
