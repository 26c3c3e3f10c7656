import { z } from 'zod'

import { argument } from '../../chat/argument.ts'
import type { DestinationName } from '../../chat/notifier.ts'
import type { Chat } from '../../people/chat.ts'
import type { Form } from '../../chat/declaration.ts'
import type { Context, TestMessage } from '../../command/context.ts'
import { item, type Message, message, say, type Text, text, words } from '../../message/message.ts'
import { type Escalation, unansweredFor } from '../../people/escalation.ts'
import type { Person } from '../../people/person.ts'
import { go } from './pages.ts'

/** A notifier, where people name a destination. */
export type Named = Pick<DestinationName, 'what' | 'example'> & { name: string }

export function placeForm({ name, what, example }: Named): Form {
  return {
    name,
    aliases: [],
    summary: words('menu.settings.place', { platform: name }),
    examples: [`/settings ${name} ${example}`, `/settings ${name} none`],
    args: z.object({ place: argument.text(text`${what}, or none`) }),
  }
}

/** Sends a test at once, because an untested destination may wake nobody. */
export async function setPlace(
  { person, checkDestination, change, sendTest, view }: Context,
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
  const found = await checkDestination(name, typed)
  const takes = text`${name} takes ${what}. For example: /settings ${name} ${example}`
  if (!found) return say(text`I cannot use that. ${takes}`)
  if ('invalid' in found) return say(text`I cannot use that: ${found.invalid}`, takes)
  const { address, title, key } = found
  const { refused } = await change({ ...ask, named: { address, title } })
  if (refused !== null) return say(refused)
  const there = view.chatAt(address)
  const testMessage: TestMessage = there ? await sendTest(there.id) : { is: 'waits', why: null }
  const chat = view.chatAt(address)
  const use = chat ? useOf(view.escalation(person.id), chat) : null
  return message(
    [
      item('plain', testMessage.is === 'sent' ? `I have sent a test to ${title}` : `${title} is noted`, [
        ...reachLines(testMessage, 'name it again'),
        ...(chat?.brokenBecause == null ? [] : ['I do not rely on it until it takes a message.']),
        ...(key === undefined
          ? []
          : [text`The key of its signatures, which I show only now: ${{ code: key }}`]),
        use ?? `Nothing goes there yet: make it your fallback, or put it in your list (/escalate ${name}).`,
      ]),
    ],
    {
      buttons: [
        ...(use === null
          ? [{ label: 'Make it my fallback', line: `/settings fallback ${name}`, replace: false }]
          : []),
        go('Test alert', '/drill'),
        go('‹ Settings', '/settings'),
      ],
    },
  )
}

/** Which alerts a destination gets by the person's escalation; null for none. */
function useOf({ steps }: Escalation, { id, brokenBecause, address: { platform } }: Chat): Text | null {
  const isOwn = ({ name, delegateId }: Escalation['steps'][number]) =>
    delegateId === null && name === platform
  const step = steps.find((one) => isOwn(one) || one.chats.some((chat) => chat.id === id))
  if (!step) return null
  if (brokenBecause !== null)
    return `From then on it is ${step.isFallback ? 'your fallback' : 'in your list'}.`
  return step.isFallback
    ? 'It is your fallback: what your first chat does not take goes there.'
    : text`It is in your list: critical alerts go there ${unansweredFor(step.from)}.`
}

/** Removing a destination also removed the fallback there. People should not find that out at night. */
function fallbackLines(own: readonly Chat[], { defaultChat }: Person): string[] {
  const others = own.filter((chat) => chat.private && chat.id !== defaultChat)
  const names = others.map(({ address }) => `/settings fallback ${address.platform}`)
  return [
    'It was your fallback: you have none now.',
    ...(names.length === 0 ? [] : [`Another one: ${names.join(' · ')}`]),
  ]
}

/** The named destinations, never in full: a bystander who reads the screen could write there. */
export function placeLines(own: readonly Chat[], named: readonly Named[]): string[] {
  return named.map(({ name }) => {
    const chat = own.find(({ address }) => address.platform === name)
    if (!chat) return `${name}: none named, /settings ${name}`
    const { brokenBecause: why } = chat
    const broken = why === null ? '' : `, where I cannot write: ${why}`
    return `${name}: ${chat.title ?? 'named'}${broken}`
  })
}

/** The outcome of a test message as lines; none if it was sent. */
export function reachLines(testMessage: TestMessage, mended = 'say anything to me'): Text[] {
  if (testMessage.is === 'sent') return []
  if (testMessage.is === 'refused') {
    return [
      text`I cannot write there: ${testMessage.why}.`,
      `Nothing can be told there until that is mended; then ${mended}, and I try again.`,
    ]
  }
  return [
    `A test is on its way and has not got through yet${testMessage.why === null ? '' : `: ${testMessage.why}`}.`,
  ]
}

/** Warns that a chat is broken; no lines if it is not known to be. */
export function brokenLines(chat: Chat | null): string[] {
  return chat?.brokenBecause == null ? [] : [`I cannot write there at present: ${chat.brokenBecause}.`]
}
