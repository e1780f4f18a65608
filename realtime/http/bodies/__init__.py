"""HTTP: request bodies, queries, and streamed responses."""
