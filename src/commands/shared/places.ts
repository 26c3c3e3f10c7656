import { z } from 'zod'

import { argument } from '../../chat/argument.ts'
import type { DestinationName } from '../../chat/notifier.ts'
import { type Chat, reasonText } from '../../people/chat.ts'
import type { Form } from '../../chat/declaration.ts'
import type { Context, TestMessage } from '../../command/context.ts'
import { type Button, item, type Message, message, say, type Text, words } from '../../message/message.ts'
import { asking } from '../../message/question.ts'
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
    args: z.object({ place: argument.text(words('place.asks', { what })) }),
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
    const wasBackup = was?.address.platform === name
    return message(
      [item('plain', words('place.ended', { name }), wasBackup ? [words('place.was-backup')] : [])],
      { buttons: wasBackup ? backupButtons(view.chats(person.id), person) : [] },
    )
  }
  const found = await checkDestination(name, typed)
  const takes = words('place.takes', { name, what, example })
  if (found === null || 'invalid' in found) {
    const why = found ? words('place.unusable.why', { why: found.invalid }) : words('place.unusable')
    const question = { start: `/settings ${name}`, prompt: name, placeholder: example }
    return asking(why, question, [], { lines: [takes] })
  }
  const { address, title, key } = found
  const { refused } = await change({ ...ask, named: { address, title } })
  if (refused !== null) return say(refused)
  const there = view.chatAt(address)
  const testMessage: TestMessage = there ? await sendTest(there.id) : { is: 'waits', why: null }
  const chat = view.chatAt(address)
  const use = chat ? useOf(view.escalation(person.id), chat) : null
  return message(
    [
      item('plain', words(testMessage.is === 'sent' ? 'place.tested' : 'place.noted', { title }), [
        ...reachLines(testMessage, words('reach.name-again')),
        ...(chat?.brokenBecause == null ? [] : [words('place.unproven')]),
        ...(key === undefined ? [] : [words('place.key', { key: { code: key } })]),
        use ?? words('place.unused'),
      ]),
    ],
    {
      buttons: [
        ...(use === null
          ? [
              { label: words('place.button.backup'), line: `/settings fallback ${name}`, replace: false },
              { label: words('place.button.list'), line: `/escalate ${name}`, replace: false },
            ]
          : []),
        go(words('place.button.test'), '/drill'),
        go(words('place.button.settings'), '/settings'),
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
  if (brokenBecause !== null) return words(step.isFallback ? 'place.will-be-backup' : 'place.will-be-in-list')
  return step.isFallback
    ? words('place.is-backup')
    : words('place.in-list', { when: unansweredFor(step.from) })
}

/** Removing a destination also removed the backup there: offers the others. */
function backupButtons(own: readonly Chat[], { defaultChat }: Person): Button[] {
  const others = own.filter((chat) => chat.private && chat.id !== defaultChat)
  return others.map(({ address: { platform: name } }) =>
    go(words('place.button.other', { name }), `/settings fallback ${name}`),
  )
}

/** The named destinations, never in full: a bystander who reads the screen could write there. */
export function placeLines(own: readonly Chat[], named: readonly Named[]): Text[] {
  return named.map(({ name }) => {
    const chat = own.find(({ address }) => address.platform === name)
    if (!chat) return words('place.none', { name })
    const title = chat.title ?? words('place.no-title')
    const { brokenBecause: why } = chat
    return why === null
      ? words('place.named', { name, title })
      : words('place.broken', { name, title, why: reasonText(why) })
  })
}

/** The outcome of a test message as lines; none if it was sent. */
export function reachLines(testMessage: TestMessage, mended = words('reach.say-again')): Text[] {
  switch (testMessage.is) {
    case 'sent':
      return []
    case 'refused': {
      const { why } = testMessage
      return [words('reach.refused', { why: typeof why === 'string' ? reasonText(why) : why }), mended]
    }
    case 'waits': {
      const { why } = testMessage
      return [why === null ? words('reach.waits') : words('reach.waits.why', { why: reasonText(why) })]
    }
  }
}

/** Warns that a chat is broken; no lines if it is not known to be. */
export function brokenLines(chat: Chat | null): Text[] {
  const why = chat?.brokenBecause ?? null
  return why === null ? [] : [words('reach.broken', { why: reasonText(why) })]
}
