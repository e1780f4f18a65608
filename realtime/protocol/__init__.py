"""The wire contract: requests, messages, codecs, error codes and limits. Imports no other room."""
