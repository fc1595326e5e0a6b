// Arrow streams of `pmjit eval -o arrow`, read by Arrow's own library for JavaScript, beside -o csv
// and -o json of the same run: every value, name, null, time and metadatum.
//
//   NODE_PATH=… node tests/readers/arrow.cjs PROGRAM
'use strict';

const arrow = require('apache-arrow');
const {execFileSync, spawnSync} = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const GOLDEN = 'tests/golden/archives/';
const program = process.argv[2];

// What is evaluated, and the columns of values that must come: their names and types.
const CASES = [
  ['types-v3', ['syn.inst.i32'], 'value Int32'],
  ['types-v3', ['syn.inst.u32'], 'value Uint32'],
  ['types-v3', ['syn.ctr.i64'], 'value Int64'],
  ['types-v3', ['syn.disc.u64'], 'value Uint64'],
  ['types-v3', ['syn.inst.flt'], 'value Float32'],
  ['types-v3', ['syn.inst.dbl'], 'value Float64'],
  ['types-v3', ['syn.inst.str'], 'value Utf8'],
  ['types-v3', ['syn.inst.i32 > 20'], 'value Bool'],
  ['types-v3', ['syn.inst.i32', 'syn.inst.flt', 'rate(syn.ctr.u64)'], 'value Float64'],
  ['types-v3', ['syn.inst.u32', 'syn.inst.i32'], 'value Int64'],
  ['types-v3', ['syn', 'syn.disc.str'],
    'value_float64 Float64, value_int64 Int64, value_uint64 Uint64, value_text Utf8'],
  ['types-v3', ['syn.inst.str', 'syn.inst.i32 < 20', 'syn.inst.u32'],
    'value_text Utf8, value_bool Bool, value_uint32 Uint32'],
  ['types-v3', ['-s', '1', 'rate(syn.ctr.u64)'], 'value Float64'],  // unknown: no row at all
  ['types-v3', ['1 / (syn.inst.i32 - 10)', '(syn.inst.i32 - 10) / (syn.inst.i32 - 10)'],
    'value Float64'],
  ['wrap', ['wrap.u64'], 'value Uint64'],
  ['wrap', ['wrap.u32', 'wrap.u64'], 'value Uint64'],
  ['wrap', ['wrap.i64', 'wrap.i32', 'wrap.u32'], 'value Int64'],
  ['wrap', ['wrap'], 'value_int64 Int64, value_uint64 Uint64'],
  ['far-v3', ['far'], null],
  ['insts4', ['in.disc', 'in.ctr', 'sum(in.disc)'], null],
  ['insts20', ['rate(in.ctr)', 'count(in.ctr)', 'in.disc > 1000'], null],
  ['insts20', ['-t', '10msec', 'in.disc', 'in.ctr', 'max(in.disc)'], null],
  ['insts20', ['-i', 'i3,i19', 'in.disc'], 'value Uint32'],
  ['rec-v3', ['sample.mirage', 'sample.colour', 'sample.drift', 'pmcd.agent'], null],
  ['rec-mark-v3', ['sample.mirage', 'sample.string', 'pmcd.pmlogger'], null],
];
const BLOCKS = [[], ['--block-rows', '1'], ['--block-rows', '7']];

function run(archive, format, args) {
  return execFileSync(program, ['eval', '-a', GOLDEN + archive, '-o', format, ...args],
    {maxBuffer: 1 << 30, stdio: ['ignore', 'pipe', 'ignore']});
}

function must(holds, what) {
  if (!holds) throw new Error(what);
}

function equal(got, wanted, what) {
  must(Object.is(got, wanted), `${what}: ${String(got)}, not ${String(wanted)}`);
}

// RFC 4180.
function csvRows(text) {
  const rows = [];
  for (const line of text.matchAll(/((?:"(?:[^"]|"")*"|[^\n"])*)\n/g)) {
    rows.push([...line[1].matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
      ([, quoted, plain]) => quoted === undefined ? plain : quoted.replaceAll('""', '"')));
  }
  equal(rows.shift().join(), 'time,host,metric,instance,value', 'header');
  return rows;
}

function nanoseconds(iso) {
  const [, seconds, fraction] = /^(.*?)(?:\.(\d+))?Z$/.exec(iso);
  const whole = BigInt(Date.parse(seconds + 'Z')) * 1000000n;
  return whole + BigInt((fraction || '').padEnd(9, '0'));
}

// The value that the text of -o csv stands for, as the library gives values of that type.
function valueOf(text, type, metricType) {
  if (arrow.DataType.isUtf8(type)) return text;
  if (arrow.DataType.isBool(type)) return text === 'true';
  if (arrow.DataType.isInt(type)) return type.bitWidth === 64 ? BigInt(text) : Number(text);
  const number = Number(text.replace('inf', 'Infinity'));
  return metricType === 'f32' ? Math.fround(number) : number;
}

// Rows of the table, in the raw: times to the nanosecond, codes within their dictionaries.
function* arrowRows(table, columns) {
  for (const batch of table.batches) {
    const times = batch.getChild('time').data[0].values;
    const names = ['host', 'metric', 'instance'].map((name) => batch.getChild(name));
    for (const name of names) {
      const known = [...name.data[0].dictionary];
      equal(new Set(known).size, known.length, 'names of a dictionary, each once');
      for (const code of name.data[0].values) {
        must(code === 0 || (code > 0 && code < known.length), 'a code of no name');
      }
    }
    const values = columns.map(({name}) => batch.getChild(name));
    for (let i = 0; i < batch.numRows; ++i) {
      yield [times[i], ...names.map((name) => name.get(i)), values.map((value) => value.get(i))];
    }
  }
}

function checkSchema(schema, head, wanted) {
  equal(schema.fields.slice(0, 4).map(({name, type}) => `${name} ${type}`).join(', '),
    'time Timestamp<NANOSECOND, UTC>, host Dictionary<Int32, Utf8>, ' +
    'metric Dictionary<Int32, Utf8>, instance Dictionary<Int32, Utf8>', 'fields');
  equal(schema.metadata.get('host'), head.host, 'host in the metadata');
  const columns = schema.fields.slice(4);
  const got = columns.map(({name, type}) => `${name} ${type}`).join(', ');
  if (wanted !== null) equal(got, wanted, 'columns of values');
  const metrics = columns.map((field) => JSON.parse(field.metadata.get('metrics')));
  const inOrder = (list) => JSON.stringify(list.map((metric) => JSON.stringify(metric)).sort());
  equal(inOrder(metrics.flat()), inOrder(head.metrics), 'metadata');
  return columns.map(({name, type}, c) =>
    ({name, type, metrics: new Map(metrics[c].map((metric) => [metric.name, metric]))}));
}

function checkRows(table, columns, rows, instances) {
  let at = 0;
  for (const [time, host, metric, instance, values] of arrowRows(table, columns)) {
    const where = `row ${at}`;
    must(at < rows.length, 'more rows than in csv');
    const [csvTime, csvHost, csvMetric, , csvValue] = rows[at];
    equal(time, nanoseconds(csvTime), `${where}, time`);
    equal(host, csvHost, `${where}, host`);
    equal(metric, csvMetric, `${where}, metric`);
    equal(instance, instances[at], `${where}, instance`);
    const c = columns.findIndex((column) => column.metrics.has(metric));
    const {type, metrics} = columns[c];
    equal(values[c], valueOf(csvValue, type, metrics.get(metric).type), `${where}, value`);
    equal(values.filter((value) => value !== null).length, 1, `${where}, values`);
    ++at;
  }
  equal(at, rows.length, 'rows');
}

// CSV has no null: of an instance it is in JSON only.
function knownOfJson(text) {
  const [head, ...objects] = text.trimEnd().split('\n').map((line) => JSON.parse(line));
  return [head, objects.filter(({value}) => value !== null).map(({instance}) => instance)];
}

function checkCase([archive, args, wanted]) {
  const rows = csvRows(run(archive, 'csv', args).toString());
  const [head, instances] = knownOfJson(run(archive, 'json', args).toString());
  equal(instances.length, rows.length, 'known values in json');
  const streams = BLOCKS.map((block) => run(archive, 'arrow', [...block, ...args]));
  for (const stream of streams) must(stream.equals(streams[0]), 'block sizes differ');
  const table = arrow.tableFromIPC(streams[0]);
  checkRows(table, checkSchema(table.schema, head, wanted), rows, instances);
  const dictionaries = table.batches.map((batch) => batch.getChild('instance').data[0].dictionary);
  return {rows: rows.length, batches: table.batches.length,
    dictionaries: new Set(dictionaries.map((names) => [...names].join())).size};
}

// A comparison that finds no change would show nothing.
function checkCanary() {
  const [archive, args] = ['insts4', ['in.disc']];
  const rows = csvRows(run(archive, 'csv', args).toString());
  const [head, instances] = knownOfJson(run(archive, 'json', args).toString());
  const table = arrow.tableFromIPC(run(archive, 'arrow', args));
  const columns = checkSchema(table.schema, head, 'value Uint32');
  const changed = (list, at, item) => Object.assign([...list], {[at]: item});
  const broken = (column, text) => changed(rows, 3, changed(rows[3], column, text));
  const wrong = [
    [broken(0, '2023-11-14T22:13:20.000000001Z'), instances], [broken(1, 'other'), instances],
    [broken(2, 'in.ctr'), instances], [rows, changed(instances, 3, null)],
    [broken(4, '1'), instances], [rows.slice(1), instances], [[...rows, rows[0]], instances]];
  for (const [changedRows, changedInstances] of wrong) {
    let found = false;
    try {
      checkRows(table, columns, changedRows, changedInstances);
    } catch {
      found = true;
    }
    must(found, 'a change was not found');
  }
  checkRows(table, columns, rows, instances);
}

// A stream that a full disk cut short holds whole batches.
function checkCut() {
  const expressions = Array.from({length: 20}, (_, i) => `syn.inst.i32 + ${i}`);
  const args = ['-t', '10msec', ...expressions];
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'arrow-'));
  try {
    const file = path.join(folder, 'cut');
    const full = spawnSync('bash', ['-c', 'ulimit -f 2200; file=$1; shift; exec "$@" > "$file"', '-',
      file, program, 'eval', '-a', GOLDEN + 'types-v3', '-o', 'arrow', ...args]);
    equal(full.status, 2, 'exit status with a full disk');
    const table = arrow.tableFromIPC(fs.readFileSync(file));
    const whole = arrow.tableFromIPC(run('types-v3', 'arrow', args));
    equal(table.numRows, whole.batches[0].numRows, 'rows of whole batches');
    must(table.numRows < whole.numRows, 'the disk was not full');
    for (const name of ['time', 'metric', 'value']) {
      const values = (of) => of.batches[0].getChild(name).toArray().join();
      equal(values(table), values(whole), `${name} of a stream that was cut`);
    }
  } finally {
    fs.rmSync(folder, {recursive: true});
  }
}

checkCanary();
checkCut();
let failed = 0, rows = 0, batches = 0, replaced = 0;
for (const one of CASES) {
  try {
    const got = checkCase(one);
    rows += got.rows;
    batches += got.batches;
    replaced += got.dictionaries - 1;
  } catch (error) {
    ++failed;
    console.log(`FAILED ${one[0]} ${one[1].join(' ')}: ${error.message}`);
  }
}
// Without these the cases would show less than they are to.
if (failed === 0 && (batches <= CASES.length || replaced === 0)) {
  ++failed;
  console.log('FAILED: no stream of several batches, or none with a dictionary that is replaced');
}
console.log(`${CASES.length} streams, ${rows} rows, ${replaced} dictionaries replaced, ` +
  `${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
