import { expect, test } from "vitest"
import * as StatementText from "../src/internal/StatementText.ts"

test.each([
  ["SELECT 1", "SELECT 1"],
  ["SELECT 1;", "SELECT 1"],
  ["SELECT 1 ;; -- all; of it\n;/* ; /* ; */ ; */", "SELECT 1 "],
  ["SELECT ';' AS a; -- '", "SELECT ';' AS a"],
  ["SELECT 'it''s; --';", "SELECT 'it''s; --'"],
  ["SELECT 'a\\'; -- b", "SELECT 'a\\'"],
  ["SELECT E'a\\'; -- b';", "SELECT E'a\\'; -- b'"],
  ['SELECT 1 AS ";--"; ', 'SELECT 1 AS ";--"'],
  ["SELECT $$;$$, $a$; -- $$ $a$;", "SELECT $$;$$, $a$; -- $$ $a$"],
  ["SELECT a$b$, 1; -- $b$", "SELECT a$b$, 1"],
  ["SELECT 1 -- ; /*\n , 2 /* */ */", "SELECT 1 -- ; /*\n , 2 /* */ */"],
  ["SELECT 1 /* ; -- */, 2", "SELECT 1 /* ; -- */, 2"],
  ["SELECT 1; SELECT 2;", "SELECT 1; SELECT 2;"],
  ["SELECT ';", "SELECT ';"],
  ["SELECT E'\\';", "SELECT E'\\';"],
  ["SELECT $a$;", "SELECT $a$;"],
  ["SELECT 1 /* ;", "SELECT 1 /* ;"],
  ["", ""],
])("the end of %j is taken off: %j", (text, expected) => {
  expect(StatementText.withoutEnd(text)).toBe(expected)
})
