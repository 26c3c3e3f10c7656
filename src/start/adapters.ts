import { createHmac } from 'node:crypto'

import type { Client, OpenClient } from '../chat/client.ts'
import type { OpenConversation } from '../chat/conversation.ts'
import type { AdapterWorld, Notifier, OpenNotifier } from '../chat/notifier.ts'
import { entry } from './environment.ts'

type OpenAdapter = OpenNotifier | OpenConversation | OpenClient

/** Opens the adapters of these names, in this order. */
export async function openAdapters(
  names: readonly string[],
  world: AdapterWorld,
): Promise<{ adapters: Notifier[]; clients: Client[] }> {
  const adapters: Notifier[] = []
  const clients: Client[] = []
  for (const name of names) {
    const open = await entry<OpenAdapter>('../../adapters/', name)
    const opened = await open(world)
    if ('tellsNobody' in opened) clients.push(opened)
    else adapters.push(opened)
  }
  return { adapters, clients }
}

/** Secrets of the adapters, which are made from the one that the store keeps: none can be told from another. */
export function derivedFrom(keptSecret: () => Promise<Uint8Array>): AdapterWorld['secret'] {
  return async (purpose) =>
    createHmac('sha256', await keptSecret())
      .update(purpose)
      .digest()
}

/** An address of this machine at which a browser finds a server that listens on every interface. */
export function browsable(url: string): string {
  return url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:')
}
