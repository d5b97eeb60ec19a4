"""Problems, their splits and the files of the datasets."""
