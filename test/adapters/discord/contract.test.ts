import { getGlobalDispatcher } from 'undici'

import { testConversation } from '../../contracts/adapter.ts'
import { openDiscord } from './platform.ts'

// As in the program, where the venue's client comes first: whose undici that is decides which files discord.js can send.
getGlobalDispatcher()

await testConversation('Discord', openDiscord)
