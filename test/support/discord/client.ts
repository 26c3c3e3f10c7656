import { Client, DiscordAPIError, Events, type Interaction, Routes } from 'discord.js'

import { PATIENCE_MS } from '../patience.ts'
import type { Discord } from './server.ts'

/** The real discord.js against the stand-in, set up as platforms.md says, with everything it reports. */
export interface Bot extends AsyncDisposable {
  client: Client<true>
  /** Errors and fatal closes. */
  trouble: string[]
  post(channel: { id: string }, body: object): Promise<{ id: string; content: string }>
}

export const REGISTERED = [
  {
    name: 'positions',
    description: 'What is open',
    contexts: [0, 1, 2],
    integration_types: [0, 1],
    options: [{ type: 3, name: 'wallet', description: 'Which one', autocomplete: true }],
  },
  {
    name: 'alert',
    description: 'Makes a rule',
    contexts: [0, 1, 2],
    integration_types: [0, 1],
    options: [
      {
        type: 1,
        name: 'price-above',
        description: 'The price rises to a level',
        options: [
          {
            type: 3,
            name: 'symbol',
            description: 'Market',
            required: true,
            choices: [{ name: 'BTC', value: 'btc' }],
          },
          { type: 10, name: 'level', description: 'Price', required: true, min_value: 0 },
          { type: 6, name: 'for', description: 'Whose' },
        ],
      },
    ],
  },
  {
    name: 'channel',
    description: 'Binds this channel',
    contexts: [0],
    integration_types: [0],
    default_member_permissions: '32',
  },
]

export async function startBot(
  discord: Discord,
  {
    hear,
    rest = {},
    register = false,
  }: {
    hear?: (interaction: Interaction) => Promise<unknown>
    rest?: object
    register?: boolean
  } = {},
): Promise<Bot> {
  const client = new Client({
    intents: [],
    // discord.js waits five seconds between two sessions; nobody here counts them.
    ws: { buildIdentifyThrottler: async () => ({ waitForIdentify: async () => {} }) },
    rest: { api: discord.apiUrl, version: '10', retries: 0, timeout: PATIENCE_MS, ...rest },
  })
  const trouble: string[] = []
  client.on(Events.Error, (error) => trouble.push(error.message))
  client.on(Events.ShardError, (error) => trouble.push(`shard: ${error.message}`))
  client.on(Events.ShardDisconnect, ({ code }) => trouble.push(`disconnected ${code}`))
  if (hear) client.on(Events.InteractionCreate, (asked) => void hear(asked))
  const ready = new Promise((resolve) => void client.once(Events.ClientReady, resolve))
  await client.login(discord.token)
  await ready
  if (register) await client.rest.put(Routes.applicationCommands(discord.applicationId), { body: REGISTERED })
  return {
    client: client as Client<true>,
    trouble,
    post: (channel, body) =>
      client.rest.post(Routes.channelMessages(channel.id), { body }) as Promise<{
        id: string
        content: string
      }>,
    [Symbol.asyncDispose]: () => client.destroy(),
  }
}

/** "403 50013: Missing Permissions", with every mistake that Discord names. */
export async function refusedAs(work: Promise<unknown>): Promise<string> {
  try {
    await work
  } catch (error) {
    if (error instanceof DiscordAPIError) return `${error.status} ${error.code}: ${error.message}`
    throw error
  }
  return 'not refused'
}
