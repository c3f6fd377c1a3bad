import type { Attachment } from '@chirality/contracts';
import { settle } from '../../../test/fake-clock';
import { ApiError, networkError } from '../http/api-error';
import { UnreadablePictureError } from './attached-file';
import type { FileStore, StoredFile } from './file-store';
import { HeldFiles } from './held-files';

class MemoryFiles implements FileStore {
  readonly kept = new Map<string, StoredFile>();
  hasRoom = true;
  of = (place: string) => Promise.resolve([...this.kept.values()].filter((one) => one.place === place));
  put = (stored: StoredFile) => {
    if (this.hasRoom) this.kept.set(stored.key, stored);
    return Promise.resolve(this.hasRoom);
  };
  remove = (key: string) => Promise.resolve(void this.kept.delete(key));
}

const file = (name: string, bytes = 3) => new File([new Uint8Array(bytes)], name);

function build(store = new MemoryFiles()) {
  const uploads: string[] = [];
  const answers = new Map<string, Error>();
  const upload = (sessionId: string, { name, size }: File): Promise<Attachment> => {
    uploads.push(`${sessionId} ${name}`);
    const error = answers.get(name);
    return error === undefined
      ? Promise.resolve({ id: `att_${name}`, name, mediaType: 'text/plain', bytes: size, kind: 'file' })
      : Promise.reject(error);
  };
  const files = new HeldFiles({
    store,
    place: 'user_1.start',
    now: () => 0,
    prepare: (one) =>
      one.name.endsWith('.heic') ? Promise.reject(new UnreadablePictureError()) : Promise.resolve(one),
    upload,
  });
  return { files, store, uploads, answers, seen: () => files.items.get().map(({ name, status }) => [name, status]) };
}

describe('files of a message that starts a session', () => {
  it('are not kept where a camera wrote a place into what cannot be drawn again', async () => {
    const { files, store, seen } = build();
    files.add([file('photo.heic')]);
    await settle();
    expect([seen(), store.kept.size]).toEqual([[['photo.heic', 'failed']], 0]);
    expect(files.items.get()[0]?.problem).toContain('Save it as JPEG or PNG');
  });

  it('are kept over a reload until they went with their message', async () => {
    const { files, store, uploads } = build();
    files.add([file('a.txt'), file('b.txt')]);
    await settle();
    expect(uploads).toEqual([]);
    const reloaded = build(store);
    await settle();
    expect(reloaded.seen()).toEqual([
      ['a.txt', 'ready'],
      ['b.txt', 'ready'],
    ]);
    const { keys, attachments } = await reloaded.files.sendTo('sess_1');
    expect(attachments.map(({ id }) => id)).toEqual(['att_a.txt', 'att_b.txt']);
    reloaded.files.sent(keys);
    await settle();
    expect([reloaded.seen(), store.kept.size]).toEqual([[], 0]);
  });

  it('stay where one did not arrive, and only that one is sent again to the same session', async () => {
    const { files, uploads, answers, seen } = build();
    files.add([file('a.txt'), file('b.txt')]);
    await settle();
    answers.set('b.txt', networkError());
    await expect(files.sendTo('sess_1')).rejects.toThrow('cannot be reached');
    expect(seen()).toEqual([
      ['a.txt', 'ready'],
      ['b.txt', 'ready'],
    ]);
    answers.clear();
    expect((await files.sendTo('sess_1')).attachments).toHaveLength(2);
    expect(uploads).toEqual(['sess_1 a.txt', 'sess_1 b.txt', 'sess_1 b.txt']);
    expect((await files.sendTo('sess_2')).attachments).toHaveLength(2);
    expect(uploads.slice(3)).toEqual(['sess_2 a.txt', 'sess_2 b.txt']);
  });

  it('say what to do where the server refuses one, or one is too large', async () => {
    const { files, answers, seen } = build();
    files.add([file('a.txt'), file('empty', 0)]);
    await settle();
    answers.set('a.txt', new ApiError({ status: 422, code: 'ATTACHMENT_UNSUPPORTED', detail: 'Choose another one.' }));
    await expect(files.sendTo('sess_1')).rejects.toThrow('Choose another one.');
    expect(files.items.get().map(({ status, problem }) => [status, problem])).toEqual([
      ['failed', 'Choose another one.'],
      ['failed', expect.stringMatching(/empty/) as string],
    ]);
    files.retry(files.items.get()[0]!.key);
    expect(seen()[0]).toEqual(['a.txt', 'ready']);
  });

  it('leave those that were chosen while the others were sent', async () => {
    const { files, seen } = build();
    files.add([file('a.txt')]);
    await settle();
    const sending = files.sendTo('sess_1');
    files.add([file('late.txt')]);
    files.sent((await sending).keys);
    await settle();
    expect(seen()).toEqual([['late.txt', 'ready']]);
  });

  it('would be lost with the page where the browser has no room, until they are removed', async () => {
    const { files, store } = build();
    store.hasRoom = false;
    files.add([file('a.txt')]);
    await settle();
    expect(files.wouldBeLost).toBe(true);
    files.remove(files.items.get()[0]!.key);
    expect([files.wouldBeLost, files.items.get()]).toEqual([false, []]);
  });
});
