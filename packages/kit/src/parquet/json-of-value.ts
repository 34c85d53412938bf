import { isUtf8 } from 'node:buffer';
import type { SchemaTree } from 'hyparquet';
import { HoldfastError, JsonText } from '@holdfast/core';
import { entriesOf, itemOf } from './bare-schema.ts';
import { clockTime, dateTime, day, unitsOf } from './iso-time.ts';

/** The JSON text of one stored value. Throws RECORD_INVALID where JSON has nothing for it. */
export type JsonOfValue = (value: unknown) => string;

/** What makes JSON of a column's values, by the column's node in the schema. */
export function jsonOfColumn(node: SchemaTree): JsonOfValue {
  const { element } = node;
  if (element.repetition_type !== 'REPEATED') return jsonOfNode(node);
  const item = jsonOfNode(node);
  return value => jsonOfList(value, item);
}

function jsonOfNode(node: SchemaTree): JsonOfValue {
  const { element } = node;
  const write = node.children.length > 0 ? jsonOfGroup(node) : jsonOfLeaf(node);
  return value => {
    if (value === null) return 'null';
    // Hyparquet leaves out what a cut column chunk does not hold.
    if (value === undefined) throw invalid(`the value of ${JSON.stringify(element.name)} is missing in the file`);
    return write(value);
  };
}

function jsonOfGroup(node: SchemaTree): JsonOfValue {
  const itemNode = itemOf(node);
  if (itemNode !== null) {
    const item = jsonOfNode(itemNode);
    return value => jsonOfList(value, item);
  }
  const entries = entriesOf(node);
  if (entries !== null) {
    const jsonOfKey = jsonOfNode(entries.key);
    const jsonOfEntry = jsonOfColumn(entries.value);
    const { name } = entries;
    const [keyName, valueName] = [entries.key.element.name, entries.value.element.name];
    return value => {
      const members = (value as Record<string, Record<string, unknown>[]>)[name]!.map(entry => {
        const key = jsonOfKey(entry[keyName]);
        return `${key.startsWith('"') ? key : JSON.stringify(key)}:${jsonOfEntry(entry[valueName])}`;
      });
      return `{${members.join(',')}}`;
    };
  }
  const { logical_type: logical, name } = node.element;
  if (logical?.type === 'VARIANT') throw invalid(`the column ${JSON.stringify(name)} is a VARIANT, which is not read`);
  const fields = node.children.map(child => {
    const field = child.element.name;
    // Hyparquet gathers the fields in an object.
    if (field === '__proto__') throw invalid('a field that is called "__proto__" cannot be read: leave its column out');
    return [field, `${JSON.stringify(field)}:`, jsonOfColumn(child)] as const;
  });
  return value => {
    const members = fields.map(([field, label, write]) => label + write((value as Record<string, unknown>)[field]));
    return `{${members.join(',')}}`;
  };
}

function jsonOfList(value: unknown, item: JsonOfValue): string {
  return `[${Array.from(value as ArrayLike<unknown>, item).join(',')}]`;
}

function jsonOfLeaf({ element }: SchemaTree): JsonOfValue {
  const { type, converted_type: converted, logical_type: logical, scale } = element;
  switch (logical?.type ?? converted) {
    case 'STRING':
    case 'ENUM':
    case 'UTF8':
      return value => JSON.stringify(textOf(value));
    case 'JSON':
      return value => JsonText.parse(textOf(value)).toString();
    case 'UUID':
      return value => JSON.stringify(uuid(value as Uint8Array));
    case 'FLOAT16':
      return value => number(float16(value as Uint8Array));
    case 'DECIMAL':
      return value =>
        decimal(value as number | bigint | Uint8Array, logical?.type === 'DECIMAL' ? logical.scale : scale);
    case 'DATE':
      return value => day(value as number);
    case 'TIME':
    case 'TIME_MILLIS':
    case 'TIME_MICROS': {
      const digits = unitsOf(logical?.type === 'TIME' ? logical.unit : converted!);
      return value => clockTime(BigInt(value as number | bigint), digits);
    }
    case 'TIMESTAMP':
    case 'TIMESTAMP_MILLIS':
    case 'TIMESTAMP_MICROS': {
      const digits = unitsOf(logical?.type === 'TIMESTAMP' ? logical.unit : converted!);
      // Without the newer annotation a timestamp is UTC.
      const zone = logical?.type === 'TIMESTAMP' && !logical.isAdjustedToUTC ? '' : 'Z';
      return value => dateTime(BigInt(value as number | bigint), digits, zone);
    }
    default:
  }
  const unsigned =
    (logical?.type === 'INTEGER' && !logical.isSigned) || (logical === undefined && converted?.startsWith('UINT_'));
  switch (type) {
    case 'BOOLEAN':
      return value => (value === true || value === 1 ? 'true' : 'false');
    case 'INT32':
      return value => String(unsigned ? (value as number) >>> 0 : value);
    case 'INT64':
      return value => String(unsigned ? BigInt.asUintN(64, value as bigint) : value);
    case 'INT96':
      return value => dateTime(value as bigint, 9, 'Z');
    case 'FLOAT':
      return value => float(value as number);
    case 'DOUBLE':
      return value => number(value as number);
    default:
      return value => `"${bufferOf(value as Uint8Array).toString('base64')}"`;
  }
}

function invalid(reason: string): HoldfastError {
  return new HoldfastError('RECORD_INVALID', reason);
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function textOf(value: unknown): string {
  const bytes = bufferOf(value as Uint8Array);
  if (!isUtf8(bytes)) throw invalid('a text is not UTF-8');
  return bytes.toString('utf8');
}

function uuid(bytes: Uint8Array): string {
  return bufferOf(bytes)
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

function number(value: number): string {
  if (!Number.isFinite(value)) throw invalid(`the value is ${value}, which JSON cannot say: leave the column out`);
  return Object.is(value, -0) ? '-0' : String(value);
}

/** The shortest text that stands for the same number of 32 bits. */
function float(value: number): string {
  if (value === 0) return number(value);
  for (let digits = 6; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return number(short);
  }
  return number(Number(value.toPrecision(9)));
}

function float16(bytes: Uint8Array): number {
  const bits = bufferOf(bytes).readUInt16LE(0);
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = (bits & 0x3ff) / 1024;
  if (exponent === 0x1f) return fraction === 0 ? sign * Infinity : NaN;
  return exponent === 0 ? sign * 2 ** -14 * fraction : sign * 2 ** (exponent - 15) * (1 + fraction);
}

/** With as many digits behind the point as the column has, so that nothing is rounded. */
function decimal(value: number | bigint | Uint8Array, scale = 0): string {
  let unscaled: bigint;
  if (value instanceof Uint8Array) {
    const hex = bufferOf(value).toString('hex');
    unscaled = hex === '' ? 0n : BigInt.asIntN(value.length * 8, BigInt(`0x${hex}`));
  } else {
    unscaled = BigInt(value);
  }
  const sign = unscaled < 0n ? '-' : '';
  const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, '0');
  return scale === 0 ? sign + digits : `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}
