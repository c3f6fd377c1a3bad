import {
  ConnectedSocket,
  MessageBody,
  SubscribeMessage,
  WebSocketGateway,
  Ack,
  type OnGatewayConnection,
  type OnGatewayDisconnect,
  type OnGatewayInit,
} from '@nestjs/websockets';
import { LiveSessions } from './live-sessions';
import type { LiveServer, LiveSocket } from './socket-types';

/** Socket.IO's edge: names of messages and nothing else. The server's options are the adapter's. */
@WebSocketGateway()
export class LiveGateway
  implements OnGatewayInit<LiveServer>, OnGatewayConnection<LiveSocket>, OnGatewayDisconnect<LiveSocket>
{
  constructor(private readonly sessions: LiveSessions) {}

  afterInit(server: LiveServer): void {
    this.sessions.open(server);
  }

  handleConnection(socket: LiveSocket): void {
    this.sessions.connected(socket);
  }

  handleDisconnect(socket: LiveSocket): void {
    this.sessions.disconnected(socket);
  }

  @SubscribeMessage('session:attach')
  attach(@ConnectedSocket() socket: LiveSocket, @MessageBody() request: unknown, @Ack() ack: unknown): Promise<void> {
    return this.sessions.attach(socket, request, ack);
  }

  @SubscribeMessage('session:detach')
  detach(@ConnectedSocket() socket: LiveSocket, @MessageBody() request: unknown, @Ack() ack: unknown): Promise<void> {
    return this.sessions.detach(socket, request, ack);
  }

  @SubscribeMessage('session:typing')
  type(@ConnectedSocket() socket: LiveSocket, @MessageBody() request: unknown, @Ack() ack: unknown): Promise<void> {
    return this.sessions.type(socket, request, ack);
  }

  @SubscribeMessage('permission:answer')
  answerPermission(
    @ConnectedSocket() socket: LiveSocket,
    @MessageBody() request: unknown,
    @Ack() ack: unknown,
  ): Promise<void> {
    return this.sessions.answerPermission(socket, request, ack);
  }

  @SubscribeMessage('auth:refresh')
  refresh(@ConnectedSocket() socket: LiveSocket, @MessageBody() request: unknown, @Ack() ack: unknown): Promise<void> {
    return this.sessions.refresh(socket, request, ack);
  }
}
