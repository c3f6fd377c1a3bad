import type { Attachment } from '@chirality/contracts';
import { attachmentNote, planAttachments } from './attachment-plan';

const MIB = 1024 * 1024;
const attachment = (name: string, fields: Partial<Attachment> = {}): Attachment => ({
  id: `att_${name}`,
  name,
  mediaType: 'text/plain',
  bytes: 10,
  kind: 'file',
  ...fields,
});
const csv = attachment('data.csv');
const log = attachment('old.log');
const png = attachment('shot.png', { kind: 'image', mediaType: 'image/png' });
const pdf = (name: string, mib: number) =>
  attachment(name, { kind: 'document', mediaType: 'application/pdf', bytes: mib * MIB });

describe('where what is attached goes', () => {
  it('is the message for pictures and documents, and a directory for the rest, with what earlier messages brought', () => {
    const plan = planAttachments(
      [
        { turnId: 'turn_1', attachment: log },
        { turnId: 'turn_1', attachment: png },
        { turnId: 'turn_2', attachment: csv },
        { turnId: 'turn_2', attachment: png },
        { turnId: 'turn_2', attachment: log },
      ],
      'turn_2',
    );
    expect(plan).toEqual({ blocks: [png], files: [csv, log], onDisk: [log, csv] });
  });

  it('is the directory for documents that would make the conversation too large for the model’s service', () => {
    const [first, second, small] = [pdf('first.pdf', 8), pdf('second.pdf', 8), pdf('small.pdf', 1)];
    const sent = [first, second, small].map((one, index) => ({ turnId: `turn_${index}`, attachment: one }));
    expect(planAttachments(sent, 'turn_0')).toEqual({ blocks: [first], files: [], onDisk: [second] });
    expect(planAttachments(sent, 'turn_1')).toEqual({ blocks: [], files: [second], onDisk: [second] });
    expect(planAttachments(sent, 'turn_2')).toEqual({ blocks: [small], files: [], onDisk: [second] });
  });
});

describe('what the message says of it', () => {
  it('is nothing where there is none', () => {
    expect(attachmentNote({ blocks: [], files: [], onDisk: [log] }, '/attachments')).toBeNull();
  });

  it('names pictures in their order and files by their paths', () => {
    const plan = { blocks: [png, pdf('a "b".pdf', 1)], files: [csv], onDisk: [csv] };
    expect(attachmentNote(plan, '/attachments')).toBe(
      [
        'Note from the service: the person attached files to this message.',
        'In the message, in this order: "shot.png" (picture), "a \\"b\\".pdf" (document).',
        'To be read with tools; they cannot be changed there:',
        '- /attachments/data.csv (text/plain, 10 bytes)',
      ].join('\n'),
    );
  });
});
