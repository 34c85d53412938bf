import { HoldfastError } from '@holdfast/core';

/** How many digits of a second the unit of a time, as the schema names it, has. */
export function unitsOf(name: string): 3 | 6 | 9 {
  return name.endsWith('MILLIS') ? 3 : name.endsWith('MICROS') ? 6 : 9;
}

/** A date as a JSON string, by its distance from 1970-01-01. */
export function day(days: number): string {
  return `"${isoDate(BigInt(days))}"`;
}

/** A time of day as a JSON string. */
export function clockTime(units: bigint, digits: number): string {
  return `"${isoTime(units, digits)}"`;
}

/** A moment as a JSON string with all digits of its unit, by its distance from 1970-01-01T00:00. */
export function dateTime(units: bigint, digits: number, zone: string): string {
  const perDay = 86_400n * 10n ** BigInt(digits);
  // BigInt division cuts towards zero; before 1970 the day is the one below.
  const inDay = ((units % perDay) + perDay) % perDay;
  return `"${isoDate((units - inDay) / perDay)}T${isoTime(inDay, digits)}${zone}"`;
}

function isoDate(days: bigint): string {
  const date = new Date(Number(days) * 86_400_000);
  if (Number.isNaN(date.getTime())) {
    throw new HoldfastError('RECORD_INVALID', `the date lies ${days} days from 1970, further than a calendar goes`);
  }
  return date.toISOString().replace(/T.*$/, '');
}

function isoTime(units: bigint, digits: number): string {
  const second = 10n ** BigInt(digits);
  const seconds = units / second;
  const parts = [seconds / 3_600n, (seconds / 60n) % 60n, seconds % 60n].map(part => String(part).padStart(2, '0'));
  return `${parts.join(':')}.${String(units % second).padStart(digits, '0')}`;
}
