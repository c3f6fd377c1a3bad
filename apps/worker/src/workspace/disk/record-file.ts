import { closeSync, fdatasync, openSync, readFileSync, readSync, writeSync } from 'node:fs';
import { promisify } from 'node:util';
import { crc32 } from 'node:zlib';
import { z } from 'zod';

const flushed = promisify(fdatasync);

/** A block of the disk each, so that a write that a crash of the machine tears leaves the other one whole. */
const SLOT_BYTES = 4096;
const SLOTS = 2;
/** Files whose newest slot may not be on the disk yet, with how many flushes are under way. */
const flushing = new Map<string, number>();

const slotSchema = z.object({ turn: z.number().int(), sum: z.number().int(), value: z.unknown() });
type Slot = z.infer<typeof slotSchema>;

/**
 * A small JSON value that is written often, in a file of two slots that are written in turn, each with a checksum; a
 * reader takes the newer one that is whole. A write changes bytes that the file has already: it neither allocates nor
 * renames, so it does not wait for the file system's metadata log, which others' commits keep busy, and a full disk does
 * not stop it. At most about 4,000 bytes of JSON; one writer at a time. Resolves when the file is on the disk.
 */
export async function createRecord(path: string, value: unknown): Promise<void> {
  const file = openSync(path, 'wx', 0o600);
  try {
    for (let at = 0; at < SLOTS; at += 1) writeSync(file, slotOf(at, value), 0, SLOT_BYTES, at * SLOT_BYTES);
    await flushed(file);
  } finally {
    closeSync(file);
  }
}

/**
 * When this returns, every reader on this machine finds the new value. `durable` resolves when a crash of the machine
 * would leave it too; until then it leaves the new one or the last that was durable. Throws when there is no such file.
 */
export function writeRecord(path: string, value: unknown): { durable: Promise<void> } {
  const file = openSync(path, 'r+');
  try {
    const bytes = Buffer.alloc(SLOT_BYTES * SLOTS);
    readSync(file, bytes, 0, bytes.length, 0);
    // The other slot is what a crash would leave: it stays until this one is on the disk.
    const turn = (newestSlot(bytes)?.turn ?? -1) + (flushing.has(path) ? SLOTS : 1);
    writeSync(file, slotOf(turn, value), 0, SLOT_BYTES, (turn % SLOTS) * SLOT_BYTES);
  } catch (error) {
    closeSync(file);
    throw error;
  }
  flushing.set(path, (flushing.get(path) ?? 0) + 1);
  const durable = flushed(file).finally(() => {
    closeSync(file);
    const others = (flushing.get(path) ?? 1) - 1;
    if (others > 0) flushing.set(path, others);
    else flushing.delete(path);
  });
  // Its caller receives the rejection; without a caller yet it must not end the process.
  durable.catch(() => undefined);
  return { durable };
}

/** The newest value, or null when the file is missing, has no whole slot, or holds what the schema does not say. */
export function readRecord<T>(path: string, schema: z.ZodType<T>): T | null {
  try {
    // A few kilobytes of a local disk: the hops through the pool of threads would take many times as long.
    return schema.parse(newestSlot(readFileSync(path))?.value);
  } catch {
    return null;
  }
}

function slotOf(turn: number, value: unknown): Buffer {
  const line = Buffer.from(JSON.stringify({ turn, sum: sumOf(turn, value), value } satisfies Slot));
  if (line.length >= SLOT_BYTES) throw new Error(`a record of ${line.length} bytes does not fit into its slot`);
  const slot = Buffer.alloc(SLOT_BYTES, ' ');
  line.copy(slot);
  slot.write('\n', SLOT_BYTES - 1);
  return slot;
}

function newestSlot(bytes: Buffer): Slot | null {
  const whole = Array.from({ length: SLOTS }, (_, at) =>
    readSlot(bytes.subarray(at * SLOT_BYTES, (at + 1) * SLOT_BYTES)),
  ).filter((slot) => slot !== null);
  return whole.sort((a, b) => b.turn - a.turn)[0] ?? null;
}

function readSlot(bytes: Buffer): Slot | null {
  try {
    const slot = slotSchema.parse(JSON.parse(bytes.toString('utf8')));
    return slot.sum === sumOf(slot.turn, slot.value) ? slot : null;
  } catch {
    return null;
  }
}

function sumOf(turn: number, value: unknown): number {
  return crc32(`${turn} ${JSON.stringify(value)}`);
}
