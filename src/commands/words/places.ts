import { z } from 'zod'

import { argument } from '../../argument.ts'
import type { Chat, Naming } from '../../chat.ts'
import type { Context, Proof } from '../../context.ts'
import type { Form } from '../../declaration.ts'
import { item, message, say } from '../../message.ts'
import type { Message } from '../../message.ts'
import type { Person } from '../../person.ts'
import { reachLines } from './reach.ts'

/** A platform where people name a place and are only told. */
export type Named = Naming & { name: string }

export function placeForm({ name, what, example }: Named): Form {
  return {
    name,
    aliases: [],
    summary: `names where ${name} reaches you, to wake you or as your fallback`,
    examples: [`/settings ${name} ${example}`, `/settings ${name} none`],
    args: z.object({ place: argument.text(`${what}, or none`) }),
  }
}

/** Tested at once: a place that nobody has heard from wakes nobody. */
export async function setPlace(
  { person, inspect, change, prove, view }: Context,
  { name, what, example }: Named,
  typed: string,
): Promise<Message> {
  const ask = { is: 'place', personId: person.id, platform: name } as const
  if (typed.trim().toLowerCase() === 'none') {
    const was = view.chat(person.fallbackChat ?? -1)
    const { refused } = await change({ ...ask, named: null })
    if (refused !== null) return say(refused)
    const lines = was?.address.platform === name ? fallbackLines(view.chats(person.id), person) : []
    return say(`I do not write to ${name} any more`, ...lines)
  }
  const found = await inspect(typed, name)
  const takes = `${name} takes ${what}. For example: /settings ${name} ${example}`
  if (!found) return say(`I cannot use that. ${takes}`)
  if ('unfit' in found) return say(`I cannot use that: ${found.unfit}`, takes)
  const { address, title } = found
  const { refused } = await change({ ...ask, named: { address, title } })
  if (refused !== null) return say(refused)
  const chat = view.chatAt(address)
  const proof: Proof = chat ? await prove(chat.id) : { is: 'waits', why: null }
  const isFallback = chat !== null && view.person(person.identities[0] ?? NOBODY)?.fallbackChat === chat.id
  return message(
    [
      item('plain', proof.is === 'sent' ? `I have sent a test to ${title}` : `${title} is noted`, [
        ...reachLines(proof),
        isFallback
          ? 'It is your fallback: what your first chat does not take goes there.'
          : 'It is not your fallback yet: nothing goes there until it is.',
      ]),
    ],
    {
      buttons: isFallback
        ? []
        : [{ label: 'Make it my fallback', line: `/settings fallback ${name}`, replace: false }],
    },
  )
}

/** The fallback went with its place: nobody should find that out at night. */
function fallbackLines(own: readonly Chat[], { defaultChat }: Person): string[] {
  const others = own.filter((chat) => chat.private && chat.id !== defaultChat)
  const names = others.map(({ address }) => `/settings fallback ${address.platform}`)
  return [
    'It was your fallback: you have none now.',
    ...(names.length === 0 ? [] : [`Another one: ${names.join(' · ')}`]),
  ]
}

const NOBODY = { platform: '', user: '' }

/** What is named, never in full: who reads over a shoulder could write there. */
export function placeLines(own: readonly Chat[], named: readonly Named[]): string[] {
  return named.map(({ name }) => {
    const chat = own.find(({ address }) => address.platform === name)
    if (!chat) return `${name}: none named, /settings ${name}`
    const broken = chat.brokenBecause === null ? '' : `, where I cannot write: ${chat.brokenBecause}`
    return `${name}: ${chat.title ?? 'named'}${broken}`
  })
}
