"""Files that are written from the code: TypeScript types and tables of the documentation. Not part of the wheel."""
