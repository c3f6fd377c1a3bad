import { sessionSchema, createSessionSchema } from '@chirality/contracts';
import { z } from 'zod';
import { jsonSchemaOf, namedSchemas, typeText } from './json-schema';

describe('contracts as types', () => {
  it('are named where they have a name, and written out where not', () => {
    expect(jsonSchemaOf(sessionSchema, 'output')).toEqual({ $ref: '#/components/schemas/Session' });
    expect(
      typeText(jsonSchemaOf(z.object({ session: sessionSchema, note: z.string().nullable().optional() }), 'output')),
    ).toBe('{ session: Session, note?: string | null }');
    expect(typeText(jsonSchemaOf(createSessionSchema, 'input'))).toContain(
      "mode?: 'workbench' | 'pipeline' | 'direct'",
    );
  });

  it('leave no reference that leads nowhere', () => {
    const schemas = namedSchemas();
    const targets = [...JSON.stringify(schemas).matchAll(/"\$ref":"([^"]+)"/g)].map(([, target]) => target ?? '');
    expect(targets.length).toBeGreaterThan(5);
    for (const target of targets) expect(Object.keys(schemas)).toContain(target.replace('#/components/schemas/', ''));
    expect(schemas['Session']?.properties?.['id']).toMatchObject({ type: 'string' });
  });
});
