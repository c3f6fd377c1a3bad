import type { EgressLease } from '../egress';
import type { GatewayLease } from '../gateway/serve/model-gateway';
import type { TurnUsageBinding } from '../key/turn-costs';

/** The way to the model and the way to the project's hosts as one: bound to the same turns, and gone together. */
export function withEgress(model: GatewayLease<TurnUsageBinding>, egress: EgressLease): GatewayLease<TurnUsageBinding> {
  return {
    socketPath: model.socketPath,
    token: model.token,
    bind: (binding) => {
      model.bind(binding);
      const { projectId, sessionId, turnId, authorId, onEgressRefused } = binding;
      egress.bind({ projectId, sessionId, turnId, userId: authorId, onRefused: onEgressRefused });
    },
    unbind: () => {
      // Nothing passes from here on; the turn does not wait for its log.
      void egress.unbind();
      return model.unbind();
    },
    close: async () => {
      await Promise.all([model.close(), egress.close()]);
    },
  };
}
