"""HTTP: the OpenAPI and AsyncAPI documents.

Operations are declared with ``realtime/http/operation.py``; ``OPERATIONS`` of ``realtime/http/app.py`` lists them.
"""
