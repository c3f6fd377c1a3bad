import { headOfFrame } from './frame-head';

const head = (text: string) => headOfFrame(Buffer.from(text));

describe('the head of a frame', () => {
  it('is read wherever its members are, and from the outermost object alone', () => {
    const said = { frame: 'command', command: 'turn:send', id: 'f1' };
    const body = { message: 'x", "command": "custom" {[\\', list: [{ command: 'custom', id: 'other' }], frame: 1 };
    for (const frame of [
      { ...said, body },
      { body, ...said },
    ]) {
      expect(head(JSON.stringify(frame))).toEqual(said);
      expect(head(JSON.stringify(frame, null, 2))).toEqual(said);
    }
  });

  it('has the members that are of their kinds, the last of each name as JSON has it', () => {
    expect(head('{"id":-1.5e3,"command":"a","command":"b"}')).toEqual({ id: -1500, command: 'b' });
    expect(head('{"id":{"id":1},"command":["x"],"frame":null}')).toEqual({});
    expect(head(`{"id":"${'x'.repeat(101)}","command":"${'x'.repeat(500)}"}`)).toEqual({});
    expect(head('["id","id"]')).toEqual({});
  });

  it.each(['', '"', '{"', '{"id', '{"id"', '{"id":', '{"id": "', '{"id":"\\', '}]', '{"id":-'])(
    'of what is no JSON ends: %s',
    (text) => expect(head(text)).toEqual({}),
  );

  it.each(['[', '\\', '\\"', '"', '"a" ', ' '])('of a long frame takes one pass, whatever is in it: %s', (filling) => {
    const text = `{"command":"custom","id":7,"body":{"a":"${filling.repeat(2 * 1024 * 1024)}`;
    expect(head(text)).toMatchObject({ command: 'custom', id: 7 });
  });
});
