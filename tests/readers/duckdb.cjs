// CSV, JSON lines and Arrow of `pmjit eval`, read by DuckDB as an analyst does: all three have the
// same rows and the same sums. A row that is missing must be found.
//
//   NODE_PATH=… node tests/readers/duckdb.cjs PROGRAM
'use strict';

const {DuckDBInstance} = require('@duckdb/node-api');
const wasm = require('@duckdb/duckdb-wasm/dist/duckdb-node-blocking.cjs');
const {execFileSync} = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const program = process.argv[2];
const GOLDEN = 'tests/golden/archives/', EXAMPLES = 'examples/';

// What is evaluated, and the type that its values have for DuckDB. A float of 32 bits is a double
// of other digits in text.
const CASES = [
  [`${EXAMPLES}web1`, ['-t', '30s', '--rate', 'disk.dev', 'network.interface'], 'DOUBLE'],
  [`${EXAMPLES}web1`, ['kernel.all.load'], 'FLOAT'],
  [`${EXAMPLES}web1`, ['disk.dev.read', 'kernel.all.nprocs', 'mem.util'], 'UBIGINT'],
  [`${EXAMPLES}web1`, ['rate(disk.dev.read) > 1'], 'BOOLEAN'],
  [`${GOLDEN}types-v3`, ['syn.inst.str'], 'VARCHAR'],
  [`${GOLDEN}types-v3`, ['syn.inst.i32', 'syn.ctr.u32'], 'BIGINT'],
  [`${GOLDEN}insts20`, ['-t', '10msec', 'in.disc', 'in.ctr'], 'BIGINT'],
  [`${GOLDEN}wrap`, ['wrap.u64'], 'UBIGINT'],
];

function write(folder, [archive, args], format) {
  const file = path.join(folder, `values.${format}`);
  fs.writeFileSync(file, execFileSync(program, ['eval', '-a', archive, '-o', format, ...args],
    {maxBuffer: 1 << 30, stdio: ['ignore', 'pipe', 'ignore'],
      env: {...process.env, PCP_DERIVED_CONFIG: ''}}));
  return file;
}

const rowsOf = (from, type) =>
  `select epoch_us(time::timestamptz) as time, host, metric, coalesce(instance::varchar, '') as instance,
     value::${type} as value from ${from} where value is not null`;
const summaryOf = (from, type) => {
  const sums = ['BOOLEAN', 'VARCHAR'].includes(type) ? ''
    : ', min(value)::varchar, max(value)::varchar, sum(value::double)::varchar';
  return `select host, metric, instance, count(*)::varchar, min(time)::varchar,
    max(time)::varchar${sums} from (${rowsOf(from, type)}) group by all order by all`;
};
const textOf = (from, type) =>
  `select time::varchar, host, metric, instance, value::varchar from (${rowsOf(from, type)})
   order by all`;

// DuckDB reads Arrow streams in its build for browsers and node.
async function openArrowReader() {
  const folder = path.dirname(require.resolve('@duckdb/duckdb-wasm'));
  const bundle = (name) => ({mainModule: path.join(folder, `duckdb-${name}.wasm`), mainWorker: ''});
  const bundles = {mvp: bundle('mvp'), eh: bundle('eh')};
  const db = await wasm.createDuckDB(bundles, new wasm.VoidLogger(), wasm.NODE_RUNTIME);
  await db.instantiate(() => {});
  return db.connect();
}

const linesOf = (rows) => rows.map((row) => JSON.stringify(row)).join('\n');

function arrowLines(reader, query) {
  return linesOf(reader.query(query).toArray().map((row) => Object.values(row.toJSON())));
}

async function textLines(connection, query) {
  return linesOf((await connection.runAndReadAll(query)).getRowsJson());
}

function same(got, wanted, what) {
  if (got === wanted) return;
  const lines = wanted.split('\n');
  const at = got.split('\n').findIndex((line, i) => line !== lines[i]);
  throw new Error(`${what}, row ${at}: ${got.split('\n')[at]}, not ${lines[at]}`);
}

async function checkCase(reader, connection, folder, one) {
  const type = one[2];
  const [csv, json, arrow] = ['csv', 'json', 'arrow'].map((format) => write(folder, one, format));
  // Of numbers above 2^63 DuckDB makes doubles unless told otherwise.
  const told = type === 'UBIGINT' ? ", types = {'value': 'UBIGINT'}" : '';
  const sources = {csv: `read_csv('${csv}'${told})`, json: `read_json('${json}')`};
  reader.query('drop table if exists streamed');
  reader.insertArrowFromIPCStream(new Uint8Array(fs.readFileSync(arrow)),
    {name: 'streamed', create: true});
  const rows = arrowLines(reader, textOf('streamed', type));
  const summary = arrowLines(reader, summaryOf('streamed', type));
  for (const [name, source] of Object.entries(sources)) {
    same(await textLines(connection, textOf(source, type)), rows, name);
    same(await textLines(connection, summaryOf(source, type)), summary, `${name}, summary`);
  }
  fs.writeFileSync(csv, fs.readFileSync(csv, 'utf8').replace(/[^\n]*\n$/, ''));
  if (await textLines(connection, textOf(sources.csv, type)) === rows) {
    throw new Error('a missing row was not found');
  }
  return rows.split('\n').length;
}

async function main() {
  const reader = await openArrowReader();
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'duckdb-'));
  let failed = 0, rows = 0;
  for (const one of CASES) {
    try {
      rows += await checkCase(reader, connection, folder, one);
    } catch (error) {
      ++failed;
      console.log(`FAILED ${one[0]} ${one[1].join(' ')}: ${error.message}`);
    }
  }
  fs.rmSync(folder, {recursive: true});
  console.log(`${failed > 0 ? 'FAILED' : 'OK'} ${CASES.length - failed} of ${CASES.length} cases, ` +
    `${rows} rows of CSV, JSON lines and Arrow are equal in DuckDB`);
  process.exit(failed > 0 ? 1 : 0);
}

main();
