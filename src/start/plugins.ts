import type { z } from 'zod'

import { nearest } from '../lib/text/nearest.ts'
import { errorText } from '../lib/text/error-text.ts'

export type Env = Readonly<Record<string, string | undefined>>

/** The declaration in the `config.ts` of a venue or an adapter. */
export interface PluginConfig {
  schema: z.ZodType
  /** Whether the environment asks for it by its own variables. */
  isConfigured(env: Env): boolean
  /** Opened when nothing is configured. Such a venue is for play: in earnest chats it must be asked for by name. */
  fallback?: boolean
}

export interface AdapterConfig extends PluginConfig {
  /** True for notifiers: they are opened in addition to conversations. */
  notifyOnly?: boolean
  /**
   * Opened beside the chosen chats with nothing configured, unless WEB is off. Nobody can begin there: people come from a
   * chat, so it is none by itself.
   */
  besides?: boolean
}

export interface VenueConfig extends PluginConfig {
  /** The variable that selects it, for error messages. */
  configuredBy?: string
  /** The name shown if it is selected without any setting of its own: `Acme`. */
  byName?: string
  /** Its database if DATABASE_URL is not set. Play and real money must not share a file. */
  database?: string
}

/** The declaration in the `config.ts` of a store. */
export interface StoreConfig {
  /** Schemes of DATABASE_URL, in lower case without the colon: `file`. An empty one means a plain path. */
  schemes: readonly string[]
  /** Throws a sentence if DATABASE_URL is none that this store can read. */
  check?: (url: string) => unknown
}

export interface Plugins {
  venues: Readonly<Record<string, VenueConfig>>
  adapters: Readonly<Record<string, AdapterConfig>>
  stores: Readonly<Record<string, StoreConfig>>
}

/** For venues that do not declare one. */
const USUAL_DATABASE = 'data/perch.sqlite'

/** The listed adapters; else the configured ones, or the default one; and those that are opened beside them. */
export function chooseAdapters(
  env: Env,
  adapters: Plugins['adapters'],
  mistakes: string[],
): { adapters: string[]; chats: string[] } {
  const listed = env['ADAPTERS']?.split(',').map((name) => name.trim())
  const configured = configuredOf(env, adapters)
  const isBesides = (name: string) => ownEntry(adapters, name)?.besides === true
  const isChat = (name: string) => ownEntry(adapters, name)?.notifyOnly !== true && !isBesides(name)
  const besides = env['WEB'] === 'off' ? [] : Object.keys(adapters).filter(isBesides)
  const chosen = listed ?? [
    ...(configured.some(isChat) ? [] : fallbacksOf(adapters)),
    ...configured.filter((name) => !isBesides(name)),
    ...besides,
  ]
  const names = [...new Set(chosen)]
  for (const name of names) check('ADAPTERS', name, adapters, env, mistakes)
  const chats = names.filter(isChat)
  if (names.length > 0 && chats.length === 0) mistakes.push(noChat(names, names.filter(isBesides)))
  return { adapters: names, chats }
}

function noChat(names: readonly string[], besides: readonly string[]): string {
  return besides.length === 0
    ? `On ${inWords(names, 'and')} I can tell, but nobody can tell me anything: add a chat to ADAPTERS.`
    : `Nobody can begin with ${inWords(names, 'or')}: people get in by a link from a chat. Add a chat to ADAPTERS.`
}

/** The named venues; else the configured one; else, without a real chat, the one for play money. */
export function chooseVenues(
  env: Env,
  { venues, adapters }: Plugins,
  chats: readonly string[],
  mistakes: string[],
): string[] | null {
  const configured = configuredOf(env, venues)
  const [fallback = null] = fallbacksOf(venues)
  const [own = fallback, another] = configured
  const earnest = chats.filter((name) => !ownEntry(adapters, name)?.fallback)
  const named = env['VENUE']?.split(',').map((name) => name.trim())
  if (named === undefined && another !== undefined) {
    mistakes.push(
      `${inWords(configured, 'and')} are configured: name in VENUE the one that you mean, or several with commas.`,
    )
    return null
  }
  if (named === undefined && (own === null || (own === fallback && earnest.length > 0))) {
    mistakes.push(noVenue(venues, earnest, fallback))
    return null
  }
  const chosen = named ?? (own === null ? [] : [own])
  const present = chosen.filter((name) => name !== '')
  if (present.length < chosen.length) mistakes.push('VENUE has a comma without a name beside it: remove it.')
  for (const name of new Set(present)) checkVenue(name, chosen, venues, env, mistakes)
  mistakes.push(...unfit(present, fallback))
  return chosen
}

/** The variable that every venue may read, where VENUE names it first. */
const FIRST_ONLY = 'VENUE_URL'

/** The environment of one of these venues: `VENUE_URL` is the address of the first one. */
export function envOf(env: Env, name: string, venues: readonly string[]): Env {
  if (name === venues[0]) return env
  return Object.fromEntries(Object.entries(env).filter(([variable]) => variable !== FIRST_ONLY))
}

function checkVenue(
  name: string,
  chosen: readonly string[],
  venues: Plugins['venues'],
  env: Env,
  mistakes: string[],
): void {
  const own = envOf(env, name, chosen)
  const { schema } = ownEntry(venues, name) ?? {}
  if (schema && !schema.safeParse(own).success && schema.safeParse(env).success)
    mistakes.push(
      `${FIRST_ONLY} is the address of ${chosen[0]}, which VENUE names first: name ${name} first.`,
    )
  else check('VENUE', name, venues, own, mistakes)
}

/** Why these venues cannot be watched by one program. */
function unfit(chosen: readonly string[], fallback: string | null): string[] {
  const twice = [...new Set(chosen.filter((name, place) => chosen.indexOf(name) !== place))]
  const others = chosen.filter((name) => name !== fallback)
  return [
    ...twice.map((name) => `VENUE names ${name} twice: name each venue once.`),
    ...(fallback !== null && chosen.includes(fallback) && others.length > 0
      ? [
          `${fallback} plays with invented money and runs alone: name only ${fallback}, or only ${inWords(others, 'and')}.`,
        ]
      : []),
  ]
}

function noVenue(venues: Plugins['venues'], earnest: readonly string[], fallback: string | null): string {
  const variables = Object.values(venues).flatMap(({ configuredBy }) => configuredBy ?? [])
  const ways = [
    ...(variables.length === 0 ? [] : [`set ${inWords(variables, 'or')}`]),
    ...Object.entries(venues).flatMap(([name, { byName }]) =>
      byName === undefined ? [] : [`VENUE=${name} for ${byName}`],
    ),
    ...(fallback === null ? [] : [`VENUE=${fallback} to play with the simulated venue`]),
  ]
  const who = earnest.length === 0 ? 'Say' : `With ${inWords(earnest, 'and')}, say`
  return `${who} where the positions are: ${ways.join(', or ')}.`
}

/** The store that takes the scheme of DATABASE_URL, or of the file that the venue names when it is not set. */
export function chooseStore(
  env: Env,
  { venues, stores }: Plugins,
  venue: string | undefined,
  mistakes: string[],
): { store: string | null; database: string } {
  const usual = ownEntry(venues, venue ?? '')?.database ?? USUAL_DATABASE
  const database = env['DATABASE_URL']?.trim() ?? usual
  // A single letter is a drive of Windows.
  const scheme = /^([a-z][a-z\d+.-]+):/i.exec(database)?.[1]?.toLowerCase() ?? ''
  const takers = Object.keys(stores).filter((name) => stores[name]?.schemes.includes(scheme))
  const [store = null, another] = takers
  if (another !== undefined) {
    mistakes.push(`${inWords(takers, 'and')} both take “${scheme}:” as DATABASE_URL: remove one of them.`)
  }
  if (store === null) {
    const known = Object.values(stores).flatMap(({ schemes }) => schemes.filter((one) => one !== ''))
    const starts = known.map((one) => `${one}:`)
    mistakes.push(
      `DATABASE_URL is the path of a file, such as ${USUAL_DATABASE}, or starts with ${inWords(starts, 'or')}; I have no store for ${scheme}: there.`,
    )
  }
  try {
    if (store !== null) stores[store]?.check?.(database)
  } catch (error) {
    mistakes.push(errorText(error))
  }
  return { store, database }
}

function configuredOf(env: Env, plugins: Readonly<Record<string, PluginConfig>>): string[] {
  return Object.keys(plugins).filter((name) => plugins[name]?.isConfigured(env))
}

function fallbacksOf(plugins: Readonly<Record<string, PluginConfig>>): string[] {
  return Object.keys(plugins).filter((name) => plugins[name]?.fallback)
}

/** `constructor` names nothing of ours. */
function ownEntry<T>(plugins: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(plugins, name) ? plugins[name] : undefined
}

function inWords(names: readonly string[], last: 'and' | 'or'): string {
  return [names.slice(0, -1).join(', '), names.at(-1) ?? ''].filter((part) => part !== '').join(` ${last} `)
}

function check(
  variable: string,
  name: string,
  plugins: Readonly<Record<string, PluginConfig>>,
  env: Env,
  mistakes: string[],
): void {
  const plugin = ownEntry(plugins, name)
  if (!plugin) {
    const names = Object.keys(plugins)
    const near = nearest(name, names)
    mistakes.push(
      `${variable} names “${name.slice(0, 40)}”, which I do not have.${near === null ? '' : ` Did you mean ${near}?`} There are: ${names.join(', ')}.`,
    )
    return
  }
  const result = plugin.schema.safeParse(env)
  if (!result.success) mistakes.push(...result.error.issues.map(({ message }) => message))
}
