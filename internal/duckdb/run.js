// Runs statements of SQL with DuckDB: a JSON array of them comes from standard
// input, an array of tables goes to standard output. A table is an array of
// rows, the first of which has the names of the columns; values are texts.
const { DuckDBInstance } = require('@duckdb/node-api');

async function main() {
  const statements = JSON.parse(require('fs').readFileSync(0, 'utf8'));
  const connection = await (await DuckDBInstance.create()).connect();
  const tables = [];
  for (const sql of statements) {
    const result = await connection.runAndReadAll(sql);
    tables.push([result.columnNames(), ...result.getRowsJS().map((row) => row.map(String))]);
  }
  process.stdout.write(JSON.stringify(tables));
}

main().catch((error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
});
