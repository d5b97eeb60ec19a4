"""Systems of task 1, a module each, with one function: `inflect`."""
