"""HTTP: the list of operations, and the OpenAPI and AsyncAPI documents."""
