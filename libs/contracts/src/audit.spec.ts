import { AUDIT_ACTIONS } from './audit';
import { turnKindSchema } from './turn';

it.each(turnKindSchema.options)(
  'a turn of kind %s is an act that the audit log knows, because accepting it writes one',
  (kind) => {
    expect(AUDIT_ACTIONS).toContain(`turn:${kind}`);
  },
);
