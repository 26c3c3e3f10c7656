import type { User } from './guilds.ts'
import { failure, type Interaction } from './interactions.ts'
import type { Message } from './messages.ts'
import type { Button } from './validate/components.ts'
import type { Embed } from './validate/embeds.ts'
import type { World } from './world.ts'

/** A message as a person reads it. */
export function textOf(message: Message): string {
  if (message.thinking) return 'Perch is thinking…'
  const { content, embeds, attachments } = message
  const buttons = buttonsOf(message).map(({ label, disabled }) => (disabled ? `(${label})` : `[${label}]`))
  return [
    ...(content ? [content] : []),
    ...embeds.flatMap((embed) => embedLines(embed).map((line) => `┃ ${line}`)),
    ...attachments.map(({ filename, size }) => `<${filename}, ${size} bytes>`),
    ...message.rows.flatMap(({ select }) =>
      select ? [select.options.map(({ label }) => `‹${label}›`).join(' ')] : [],
    ),
    ...(buttons.length > 0 ? [buttons.join(' ')] : []),
  ].join('\n')
}

export function buttonsOf({ rows }: Message): Button[] {
  return rows.flatMap(({ buttons }) => buttons)
}

function embedLines({ author, title, description, fields, footer }: Embed): string[] {
  return [
    ...(author ? [author] : []),
    ...(title ? [`**${title}**`] : []),
    ...(description ? description.split('\n') : []),
    ...fields.flatMap(({ name, value }) => `${name}: ${value}`.split('\n')),
    ...(footer ? [footer] : []),
  ]
}

/** Everything that a place shows, in order: who asked what, and what the bot said. */
export function transcript(
  world: World,
  messages: readonly Message[],
  interactions: readonly Interaction[],
  as: User | null,
): string {
  const said = messages
    .filter(({ visibleTo, deletedAt }) => deletedAt === null && (!as || !visibleTo || visibleTo === as))
    .map((message) => ({ id: message.id, text: messageLines(message) }))
  const asked = interactions
    .filter(({ user }) => !as || user === as)
    .map((interaction) => ({ id: interaction.id, text: askedLines(world, interaction) }))
  return [...said, ...asked]
    .toSorted((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1))
    .map(({ text }) => text)
    .join('\n\n')
}

function messageLines(message: Message): string {
  const { silent, visibleTo, editedAt, pings, replyTo } = message
  const marks = [
    ...(silent ? ['silent'] : []),
    ...(visibleTo ? [`only ${visibleTo.name} sees this`] : []),
    ...(replyTo ? ['a reply'] : []),
    ...(pings.length > 0 ? [`rings ${pings.join(' ')}`] : []),
    ...(editedAt === null ? [] : ['edited']),
  ]
  return [`Perch${marks.length > 0 ? ` (${marks.join(', ')})` : ''}:`, textOf(message)].join('\n')
}

function askedLines(world: World, interaction: Interaction): string {
  const wrong = failure(world, interaction)
  return `${interaction.user.name}: ${interaction.what}${wrong ? `\n${wrong}` : ''}`
}
