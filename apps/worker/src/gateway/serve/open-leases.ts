/** What one process holds of a gateway: one socket and one token, and nothing passes while no turn is bound. */
interface Lease<Binding, Told> {
  readonly socketPath: string;
  readonly token: string;
  bind(binding: Binding): void;
  unbind(): Promise<Told>;
  close(): Promise<void>;
}

/** The leases of one gateway that are open; `Told` is what the end of a turn answers. */
export class OpenLeases<Binding, Told> {
  private readonly leases = new Set<Lease<Binding, Told>>();

  /**
   * Listens, and hands out the lease without what belongs to the gateway alone. Rejects when the socket cannot be made.
   */
  async open(lease: Lease<Binding, Told> & { listen(): Promise<void> }): Promise<Lease<Binding, Told>> {
    await lease.listen();
    this.leases.add(lease);
    return {
      socketPath: lease.socketPath,
      token: lease.token,
      bind: (binding) => lease.bind(binding),
      unbind: () => lease.unbind(),
      close: async () => {
        this.leases.delete(lease);
        await lease.close();
      },
    };
  }

  async closeAll(): Promise<void> {
    await Promise.all([...this.leases].map((lease) => lease.close()));
  }
}
