import { type Json, refusal } from './refusals.ts'
import type { Call, Route } from './rest.ts'
import { commandJson, userJson } from './wire.ts'

const mustBeOurs = ({ world, params }: Call) => {
  if (params['app'] !== world.app.id) throw refusal('unknownApplication')
}

/** The guild of the path, when the bot is in it; null for global commands. */
const guildOf = ({ world, params }: Call): string | null => {
  const { guild: id } = params
  if (id === undefined) return null
  if (!world.guilds.get(id)?.hasBot) throw refusal('missingAccess')
  return id
}

const put: Route['answer'] = (call) => {
  mustBeOurs(call)
  const commands = call.world.commands.overwrite(guildOf(call), call.body)
  return { status: 200, body: commands.map((one) => commandJson(call.world, one)) }
}

function withoutLocalizations(value: Json): Json {
  const { description_localizations: _words, name_localizations: _names, ...rest } = value
  const options = rest['options'] as Json[] | undefined
  return options === undefined ? rest : { ...rest, options: options.map(withoutLocalizations) }
}

const list: Route['answer'] = (call) => {
  mustBeOurs(call)
  const commands = call.world.commands.list(guildOf(call))
  const all = commands.map((one) => commandJson(call.world, one))
  // https://docs.discord.com/developers/interactions/application-commands#retrieving-localized-commands
  const isWhole = call.query.get('with_localizations') === 'true'
  return { status: 200, body: isWhole ? all : all.map(withoutLocalizations) }
}

export const applicationRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/gateway/bot',
    answer: ({ gateway, gatewayUrl }) => ({
      status: 200,
      body: { url: gatewayUrl, shards: gateway.shards(), session_start_limit: gateway.sessionLimit() },
    }),
  },
  {
    method: 'GET',
    path: '/users/@me',
    answer: ({ world }) => ({
      status: 200,
      body: { ...userJson(world.bot), verified: true, mfa_enabled: true },
    }),
  },
  {
    method: 'GET',
    path: '/applications/@me',
    answer: ({ world }) => ({
      status: 200,
      body: {
        id: world.app.id,
        name: world.app.name,
        icon: null,
        description: '',
        summary: '',
        bot: userJson(world.bot),
        bot_public: true,
        bot_require_code_grant: false,
        verify_key: '0'.repeat(64),
        flags: 0,
        approximate_guild_count: [...world.guilds.values()].filter(({ hasBot }) => hasBot).length,
        approximate_user_install_count: [...world.users.values()].filter(({ installed }) => installed).length,
      },
    }),
  },
  { method: 'PUT', path: '/applications/:app/commands', answer: put },
  { method: 'GET', path: '/applications/:app/commands', answer: list },
  { method: 'PUT', path: '/applications/:app/guilds/:guild/commands', answer: put },
  { method: 'GET', path: '/applications/:app/guilds/:guild/commands', answer: list },
]
