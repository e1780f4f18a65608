-- How each person likes the page: a flat object of his client's making. The server only keeps it.
CREATE TABLE settings (
    person     text        PRIMARY KEY REFERENCES person (id) ON DELETE CASCADE,
    value      jsonb       NOT NULL,
    changed_at timestamptz NOT NULL DEFAULT now()
);
