// The console's calls of the server come with its code: most people never make them.
import { calls } from 'calls-of-console'
import { addCalls } from '../client.ts'

addCalls(calls)
