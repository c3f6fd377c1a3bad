import type { Attachment } from '@chirality/contracts';
import { settle } from '../../../test/fake-clock';
import type { KeyValueStore } from '../state/storage';
import { attachedProblem, UnreadablePictureError } from './attached-file';
import { AttachedFiles, type AttachedFilesParts } from './attached-files';

const MIB = 1024 * 1024;

function memory(): KeyValueStore {
  const values = new Map<string, string>();
  return {
    get: (key) => values.get(key) ?? null,
    set: (key, value) => (values.set(key, value), true),
    remove: (key) => void values.delete(key),
    keys: (prefix) => [...values.keys()].filter((key) => key.startsWith(prefix)),
  };
}

const file = (name: string, bytes = 3) => new File([new Uint8Array(bytes)], name);
const attachmentOf = ({ name, size }: { name: string; size: number }): Attachment => ({
  id: `att_${name}`,
  name,
  mediaType: 'text/plain',
  bytes: size,
  kind: 'file',
});

function build(parts: Partial<AttachedFilesParts> = {}, store = memory()) {
  const removed: string[] = [];
  const files = new AttachedFiles({
    store,
    storeKey: 'files',
    prepare: (chosen) => Promise.resolve(chosen),
    upload: (sent) => Promise.resolve(attachmentOf(sent)),
    remove: ({ id }) => (removed.push(id), Promise.resolve()),
    ...parts,
  });
  return { files, removed, store, seen: () => files.items.get().map(({ name, status }) => [name, status]) };
}

describe('files of a message that is being written', () => {
  it('are not sent where a camera wrote a place into what cannot be drawn again, and say what to do', async () => {
    const { files, seen } = build({ prepare: () => Promise.reject(new UnreadablePictureError()) });
    files.add([file('photo.heic')]);
    await settle();
    expect([seen(), files.items.get()[0]]).toMatchObject([
      [['photo.heic', 'failed']],
      { problem: expect.stringContaining('Save it as JPEG or PNG'), file: null },
    ]);
  });

  it('are uploaded when they are chosen, go with the message, and are then gone', async () => {
    const { files, seen } = build();
    files.add([file('a.txt'), file('b.txt')]);
    expect([seen(), files.isUploading]).toEqual([
      [
        ['a.txt', 'sending'],
        ['b.txt', 'sending'],
      ],
      true,
    ]);
    await settle();
    expect([seen().map(([, status]) => status), files.isUploading]).toEqual([['ready', 'ready'], false]);
    expect(files.take().map(({ id }) => id)).toEqual(['att_a.txt', 'att_b.txt']);
    expect(seen()).toEqual([]);
  });

  it('are kept over a reload once they arrived, and are the same in another tab', async () => {
    const { files, store } = build();
    const other = build({}, store);
    files.add([file('a.txt')]);
    await settle();
    expect(build({}, store).seen()).toEqual([['a.txt', 'ready']]);
    other.files.add([file('here.txt')]);
    other.files.reread();
    expect(other.seen()).toEqual([
      ['a.txt', 'ready'],
      ['here.txt', 'sending'],
    ]);
    await settle();
    files.reread();
    files.take();
    other.files.reread();
    expect([other.seen(), build({}, store).seen()]).toEqual([[], []]);
  });

  it('show how far they are, and end when they are removed', async () => {
    let signal: AbortSignal | undefined;
    let arrive = (_: Attachment): void => undefined;
    const { files, removed } = build({
      upload: (sent, options) => {
        signal = options.signal;
        options.onProgress(2);
        return new Promise((resolve) => (arrive = resolve)).then(() => attachmentOf(sent));
      },
    });
    files.add([file('a.txt')]);
    await settle();
    expect(files.items.get()).toMatchObject([{ sentBytes: 2, bytes: 3 }]);
    files.remove(files.items.get()[0]!.key);
    expect([signal?.aborted, files.items.get()]).toEqual([true, []]);
    arrive(attachmentOf(file('a.txt')));
    await settle();
    expect([files.items.get(), removed]).toEqual([[], ['att_a.txt']]);
  });

  it('are forgotten by the server when they are removed before sending', async () => {
    const { files, removed } = build();
    files.add([file('a.txt')]);
    await settle();
    files.remove(files.items.get()[0]!.key);
    expect([removed, files.take()]).toEqual([['att_a.txt'], []]);
  });

  it('say what to do when they cannot be taken, and can be tried again', async () => {
    let fails = true;
    const { files } = build({
      upload: (sent) => (fails ? Promise.reject(new Error('No room.')) : Promise.resolve(attachmentOf(sent))),
    });
    files.add([file('a.txt'), file('empty', 0), file('large', 10 * MIB + 1)]);
    await settle();
    expect(files.items.get().map(({ problem }) => problem)).toEqual([
      'No room.',
      expect.stringMatching(/empty/) as string,
      expect.stringMatching(/at most 10\.0 MB/) as string,
    ]);
    expect(attachedProblem(files.items.get())).toMatch(/Remove the files/);
    fails = false;
    files.retry(files.items.get()[0]!.key);
    await settle();
    expect(files.items.get()[0]).toMatchObject({ status: 'ready', problem: null });
  });

  it('are twenty at most, and no more together than a message takes', async () => {
    const { files, seen } = build();
    files.add(Array.from({ length: 25 }, (_, index) => file(`${index}`)));
    await settle();
    expect(seen().filter(([, status]) => status === 'ready')).toHaveLength(20);
    expect(files.items.get().at(-1)).toMatchObject({
      status: 'failed',
      problem: expect.stringMatching(/at most 20/) as string,
    });
    const items = [1, 2, 3, 4].map(() => ({ ...files.items.get()[0]!, bytes: 9 * MIB }));
    expect(attachedProblem(items)).toMatch(/32\.0 MB in total, and these have 36\.0 MB/);
    expect(attachedProblem(items.slice(1))).toBeNull();
  });

  it('come back with a message that is written again, each once', async () => {
    const { files, seen } = build();
    files.add([file('a.txt')]);
    await settle();
    files.giveBack([attachmentOf({ name: 'a.txt', size: 3 }), attachmentOf({ name: 'b.txt', size: 3 })]);
    expect(seen().map(([name]) => name)).toEqual(['b.txt', 'a.txt']);
  });
});
