"""The room that the studies of both tasks share: config, datasets, grid, plan, scores."""
