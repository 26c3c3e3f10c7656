import type { Gateway } from './gateway.ts'
import type { Answer, Asked } from './http.ts'
import { Refusal, refusal } from './refusals.ts'
import { applicationRoutes } from './rest-application.ts'
import { channelRoutes } from './rest-channels.ts'
import { interactionRoutes } from './rest-interactions.ts'
import type { World } from './world.ts'

const PREFIX = /^\/api\/v(\d+)(\/.*)$/
/** discord.js and every well-behaved client say who they are: https://docs.discord.com/developers/reference#user-agent */
const USER_AGENT = /^DiscordBot \(/

export interface Call extends Asked {
  world: World
  gateway: Gateway
  gatewayUrl: string
  /** The parts of the path that the route names. */
  params: Record<string, string>
}

export interface Route {
  method: string
  path: string
  /** Needs no bot token: the path holds one. */
  open?: true
  answer(call: Call): Answer
}

const ROUTES: readonly Route[] = [...applicationRoutes, ...channelRoutes, ...interactionRoutes]

interface Matched {
  route: Route | null
  /** As counted and limited: "POST /channels/:id/messages". */
  name: string
  /** What has limits of its own: a channel, a guild, a webhook with its token. */
  major: string
  params: Record<string, string>
  path: string
}

export function match({ method, path: full }: Asked): Matched {
  const [, version, path = full] = PREFIX.exec(full) ?? []
  const none = { route: null, major: '', params: {}, path }
  if (version !== '10') return { ...none, name: 'another version' }
  let known = false
  for (const route of ROUTES) {
    const params = paramsOf(route.path, path)
    if (!params) continue
    known = true
    if (route.method !== method) continue
    const { channel = '', guild = '', app = '', token = '' } = params
    return {
      route,
      name: `${method} ${route.path.replace(/:(channel|guild)/, ':id')}`,
      major: `${channel}${guild}${token && app}${token}`,
      params,
      path,
    }
  }
  return { ...none, name: known ? `${method} on a route that has other methods` : 'unknown route' }
}

function paramsOf(pattern: string, path: string): Record<string, string> | null {
  const wanted = pattern.split('/')
  const parts = path.split('/')
  if (wanted.length !== parts.length) return null
  const params: Record<string, string> = {}
  for (const [index, want] of wanted.entries()) {
    const part = parts[index] ?? ''
    if (want.startsWith(':') && part) params[want.slice(1)] = part
    else if (want !== part) return null
  }
  return params
}

export function answer(
  asked: Asked,
  { route, name, params }: Matched,
  world: World,
  gateway: Gateway,
  gatewayUrl: string,
): Answer {
  try {
    if (name === 'another version') throw refusal('wrongVersion')
    if (!route) throw refusal(name === 'unknown route' ? 'notFound' : 'wrongMethod')
    if (!USER_AGENT.test(asked.headers['user-agent'] ?? '')) throw refusal('wrongUserAgent')
    const said = asked.headers.authorization
    const isBot = world.token !== null && said === `Bot ${world.token}`
    if (said === undefined ? !route.open : !isBot) throw refusal('unauthorized')
    if (asked.broken) throw refusal(asked.broken)
    return route.answer({ ...asked, world, gateway, gatewayUrl, params })
  } catch (error) {
    if (error instanceof Refusal) return { status: error.status, body: error.body }
    throw error
  }
}
