"""Files: which are read, and that what is written lands whole and stays as it was."""
