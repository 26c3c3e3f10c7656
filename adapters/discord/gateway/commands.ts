import { inWords, type Text, USUAL_LANGUAGE } from '../../../src/message/message.ts'
import { ApplicationCommandOptionType, ChannelType, PermissionFlagsBits } from 'discord.js'

import { type ArgumentMeta, argumentMeta } from '../../../src/chat/argument.ts'
import type { Declaration, Form } from '../../../src/chat/declaration.ts'
import { type Language, LANGUAGES } from '../../../src/words/words.ts'
import { CHOICES, COMMAND_DESCRIPTION, OPTIONS } from '../send/limits.ts'
import { cutTo } from '../send/text.ts'

/** https://docs.discord.com/developers/interactions/application-commands */
export interface SlashCommand {
  name: string
  description: string
  description_localizations?: Localizations
  options: SlashOption[]
  /** Guild, direct messages with the bot, other private channels. */
  contexts: number[]
  /** By a guild, by a person for themselves. */
  integration_types: number[]
  default_member_permissions: string | null
}

/** By Discord's name of a language, which is ours as well (https://docs.discord.com/developers/reference#locales). */
export type Localizations = Readonly<Partial<Record<Language, string>>>

export interface SlashOption {
  type: number
  name: string
  description: string
  description_localizations?: Localizations
  required?: boolean
  autocomplete?: boolean
  choices?: { name: string; value: string }[]
  min_value?: number
  channel_types?: number[]
  max_length?: number
  options?: SlashOption[]
}

/**
 * The name of a form without one, if the command has others. On Discord a command with subcommands cannot run by
 * itself.
 */
const BARE = 'show'

const EVERYWHERE = [0, 1, 2]
const BY_GUILD_AND_BY_PERSON = [0, 1]

const COMPLETED = new Set<string>([
  'wallet',
  'market',
  'rule',
  'alert',
  'command',
  'account',
  'duration',
  'span',
  'percent',
  'percents',
  'sums',
  'usd',
  'moves',
  'size',
])
/** The channel types that alerts can be posted to: text, announcements and threads. */
const TARGETS = [
  ChannelType.GuildText,
  ChannelType.GuildAnnouncement,
  ChannelType.AnnouncementThread,
  ChannelType.PublicThread,
  ChannelType.PrivateThread,
]
/** Longer values are no mistake that Discord must let through. */
const LONGEST_VALUE = 300

/** The slash commands that Discord offers for these. Pure. */
export function slashCommands(commands: readonly Declaration[]): SlashCommand[] {
  return commands
    .filter(({ who }) => who !== 'local')
    .map(({ name, summary, forms, file }) => ({
      name,
      ...described(summary),
      options: [
        ...(file === undefined ? [] : [{ type: FILE, name: 'file', ...described(file) }]),
        ...(isBare(forms) ? optionsOf(forms[0]) : forms.slice(0, OPTIONS).map(subcommand)),
      ],
      contexts: EVERYWHERE,
      integration_types: BY_GUILD_AND_BY_PERSON,
      // Only hides the command from people without the right; it is checked again when it runs
      // (discord.com/developers/topics/permissions).
      default_member_permissions: forms.some(namesChat) ? String(PermissionFlagsBits.ManageGuild) : null,
    }))
}

/** `alert price-above`: the command and form that an interaction means, as the bot calls them. */
export function calledName(command: string, sub: string | null): string {
  return sub === null || sub === BARE ? command : `${command} ${sub}`
}

/** The argument that an option stands for, and back: Discord takes no capitals. */
export function optionName(argument: string): string {
  return argument.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}
export function argumentName(option: string): string {
  return option.replace(/-([a-z])/g, (_dash, letter: string) => letter.toUpperCase())
}

const FILE: number = ApplicationCommandOptionType.Attachment

function isBare(forms: readonly Form[]): boolean {
  return forms.length === 1 && forms[0]?.name === ''
}

function subcommand(form: Form): SlashOption {
  return {
    type: ApplicationCommandOptionType.Subcommand,
    name: form.name === '' ? BARE : form.name,
    ...described(form.summary),
    options: optionsOf(form),
  }
}

/** Required ones first, as Discord wants them. */
function optionsOf(form: Form | undefined): SlashOption[] {
  const options = Object.entries(form?.args.shape ?? {}).flatMap(([name, type]) => {
    const meta = argumentMeta(type)
    // `custom` accepts undefined too. Only an argument declared optional, or with a default, may be left out.
    const optional = type._zod.optin !== undefined
    return meta ? [option(name, meta, !optional)] : []
  })
  return options
    .toSorted((a, b) => Number(b.required ?? false) - Number(a.required ?? false))
    .slice(0, OPTIONS)
}

function option(
  argument: string,
  { argument: type, asks, words }: ArgumentMeta,
  required: boolean,
): SlashOption {
  const base = {
    name: optionName(argument),
    ...described(asks),
    ...(required ? { required } : {}),
  }
  if (type === 'chat') return { type: ApplicationCommandOptionType.Channel, ...base, channel_types: TARGETS }
  if (type === 'mention') return { type: ApplicationCommandOptionType.Role, ...base }
  if (type === 'page') return { type: ApplicationCommandOptionType.Integer, ...base, min_value: 1 }
  if (type === 'choice' && words.length <= CHOICES) {
    return {
      type: ApplicationCommandOptionType.String,
      ...base,
      choices: words.map((word) => ({ name: word, value: word })),
    }
  }
  const completed = type === 'choice' || COMPLETED.has(type)
  return {
    type: ApplicationCommandOptionType.String,
    ...base,
    ...(completed ? { autocomplete: true } : {}),
    max_length: LONGEST_VALUE,
  }
}

/** Commands that name a chat are for people who may configure one. */
function namesChat({ args }: Form): boolean {
  return Object.values(args.shape).some((type) => argumentMeta(type)?.argument === 'chat')
}

/** People read it in the language of their app. Languages with the same words are left out. */
function described(summary: Text): Pick<SlashCommand, 'description' | 'description_localizations'> {
  const inLanguage = (language: Language) => cutTo(inWords(summary, language), COMMAND_DESCRIPTION)
  const description = inLanguage(USUAL_LANGUAGE)
  const others = LANGUAGES.map((language) => [language, inLanguage(language)] as const)
  const apart = others.filter(([, words]) => words !== description)
  return {
    description,
    ...(apart.length > 0 ? { description_localizations: Object.fromEntries(apart) } : {}),
  }
}
