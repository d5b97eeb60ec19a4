"""Tables, figures and the page that sets our figures beside the published ones."""
