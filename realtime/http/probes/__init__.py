"""HTTP: health, readiness and metrics."""
