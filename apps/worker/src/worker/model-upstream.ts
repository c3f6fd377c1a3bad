import { join } from 'node:path';
import type { Config } from '@chirality/platform';
import { startScriptedModel } from '@chirality/scripted-model';
import type { UpstreamSettings } from '../gateway';

const MODEL_SERVICE = 'https://api.anthropic.com';

export type ModelUpstream = { settings: UpstreamSettings; demo: boolean; close(): Promise<void> };

/** The model's service: the configured one, or, with neither key nor address, the demo model in this process. */
export async function openModelUpstream(config: Config): Promise<ModelUpstream> {
  if (config.anthropicApiKey !== null || config.anthropicBaseUrl !== null) {
    return {
      settings: { url: config.anthropicBaseUrl ?? MODEL_SERVICE, apiKey: config.anthropicApiKey ?? '' },
      demo: false,
      close: async () => undefined,
    };
  }
  const socketPath = join(config.runDir, 'demo.sock');
  const model = await startScriptedModel({ listen: { socketPath } });
  return { settings: { url: 'http://demo.model', socketPath, apiKey: 'demo' }, demo: true, close: () => model.close() };
}
