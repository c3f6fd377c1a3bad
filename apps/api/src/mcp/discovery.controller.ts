import { Controller, Get, Inject } from '@nestjs/common';
import { COMMANDS } from '@chirality/contracts';
import { CONFIG, type Config } from '@chirality/platform';
import { z } from 'zod';
import { Answers, Public } from '../core/http/route-notes';

const protectedResourceSchema = z.object({
  resource: z.url(),
  resource_name: z.string(),
  bearer_methods_supported: z.array(z.string()),
  scopes_supported: z.array(z.string()),
});
type ProtectedResource = z.infer<typeof protectedResourceSchema>;

/** What a client that has no token reads first (RFC 9728). */
@Controller('.well-known')
export class DiscoveryController {
  constructor(@Inject(CONFIG) private readonly config: Pick<Config, 'publicUrl'>) {}

  @Get('oauth-protected-resource')
  @Public()
  @Answers(200, protectedResourceSchema, 'Describe /mcp as a protected resource')
  protectedResource(): ProtectedResource {
    return {
      resource: `${this.config.publicUrl}/mcp`,
      resource_name: 'Chirality',
      bearer_methods_supported: ['header'],
      scopes_supported: [...COMMANDS],
    };
  }

  /** Where clients look that put the path of the resource behind. */
  @Get('oauth-protected-resource/mcp')
  @Public()
  @Answers(200, protectedResourceSchema, 'Describe /mcp as a protected resource, at its own address')
  ofMcp(): ProtectedResource {
    return this.protectedResource();
  }
}
