import { Controller, Get, Param, Put } from '@nestjs/common';
import {
  slashAliasesSchema,
  slashCommandSchema,
  slashCommandsQuerySchema,
  type SlashAliases,
  type SlashCommand,
} from '@chirality/contracts';
import { z } from 'zod';
import { CurrentUser } from '../access/current-user.decorator';
import type { Principal } from '../access/principal';
import { Answers } from '../core/http/route-notes';
import { JsonBody, QueryOf } from '../core/http/validate';
import { SlashCommandsService } from './slash-commands.service';

@Controller('v1')
export class SlashCommandsController {
  constructor(private readonly commands: SlashCommandsService) {}

  @Get('slash-commands')
  @Answers(200, z.array(slashCommandSchema), 'List the slash commands that I can use, in a session or at all', {
    problems: ['SESSION_NOT_FOUND'],
  })
  list(
    @CurrentUser() who: Principal,
    @QueryOf(slashCommandsQuerySchema) { sessionId }: { sessionId?: string | undefined },
  ): Promise<SlashCommand[]> {
    return this.commands.list(who, sessionId);
  }

  @Get('teams/:teamId/aliases')
  @Answers(200, slashAliasesSchema, 'List a team’s aliases of slash commands', { problems: ['NOT_FOUND'] })
  aliases(@CurrentUser() who: Principal, @Param('teamId') teamId: string): Promise<{ aliases: SlashAliases }> {
    return this.commands.aliasesOf(who, teamId);
  }

  @Put('teams/:teamId/aliases')
  @Answers(200, slashAliasesSchema, 'Replace a team’s aliases of slash commands', {
    problems: ['NOT_FOUND', 'FORBIDDEN'],
  })
  replace(
    @CurrentUser() who: Principal,
    @Param('teamId') teamId: string,
    @JsonBody(slashAliasesSchema) { aliases }: { aliases: SlashAliases },
  ): Promise<{ aliases: SlashAliases }> {
    return this.commands.replaceAliases(who, teamId, aliases);
  }
}
