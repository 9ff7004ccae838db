// Every endpoint under /auth/passkeys, and those of the team for the passkeys of others.
import { TokenStringData } from '../auth/schemas.ts'
import { requirePerson } from '../auth/second-factor.service.ts'
import { route } from '../core/http/route.ts'
import { Uuid } from '../core/schema/schema.ts'
import { NameOrId } from '../users/schemas.ts'
import { accountIdOf } from '../users/service.ts'
import {
  PasskeyChallengeData,
  PasskeyCreateData,
  PasskeyData,
  PasskeyListData,
  PasskeyLoginData,
  PasskeyOptionsData,
  PasskeyOrderData,
} from './schemas.ts'
import { addKey, beginKey, beginLogin, listKeysOfPerson, listOwnKeys, loginWithKey, removeKeyOfPerson, removeOwnKey } from './service.ts'

export const passkeyRoutes = [
  route({
    method: 'POST',
    path: '/auth/passkeys/challenge',
    access: 'none',
    gate: 'preregistration',
    reply: PasskeyChallengeData,
    summary: 'What a passkey has to sign to sign somebody in.',
    run: (ctx) => beginLogin(ctx),
  }),
  route({
    method: 'POST',
    path: '/auth/passkeys/login',
    access: 'none',
    gate: 'preregistration',
    body: PasskeyLoginData,
    reply: TokenStringData,
    startsSession: true,
    summary: 'Signs in as the owner of a passkey, without a password, and without the code of a second factor.',
    run: (ctx, { body }) => loginWithKey(ctx, body),
  }),
  route({
    method: 'GET',
    path: '/auth/passkeys',
    access: 'token',
    openToUnverified: true,
    reply: PasskeyListData,
    summary: 'The passkeys that the caller can sign in with in a browser.',
    run: (ctx) => listOwnKeys(ctx),
  }),
  route({
    method: 'POST',
    path: '/auth/passkeys/begin',
    access: 'token',
    openToUnverified: true,
    body: PasskeyOrderData,
    reply: PasskeyOptionsData,
    summary: 'What a device needs to make a passkey for the caller, against their password, and the code of their second factor.',
    guard: requirePerson,
    run: (ctx, { body }) => beginKey(ctx, body),
  }),
  route({
    method: 'POST',
    path: '/auth/passkeys',
    clientName: 'addPasskey',
    access: 'token',
    openToUnverified: true,
    body: PasskeyCreateData,
    reply: PasskeyData,
    status: 201,
    summary: 'Keeps a passkey that a device has made for the caller.',
    guard: requirePerson,
    run: (ctx, { body }) => addKey(ctx, body),
  }),
  route({
    method: 'DELETE',
    path: '/auth/passkeys/:passkey_id',
    access: 'token',
    openToUnverified: true,
    params: { passkey_id: Uuid },
    status: 204,
    summary: 'Removes a passkey of the caller.',
    guard: requirePerson,
    run: (ctx, { params }) => removeOwnKey(ctx, params.passkey_id),
  }),
  route({
    method: 'GET',
    path: '/admin/users/:user_id/passkeys',
    access: 'serviceteam',
    params: { user_id: NameOrId },
    reply: PasskeyListData,
    summary: 'The passkeys that somebody can sign in with.',
    run: async (ctx, { params }) => listKeysOfPerson(ctx, await accountIdOf(ctx, params.user_id)),
  }),
  route({
    method: 'DELETE',
    path: '/admin/passkeys/:passkey_id',
    access: 'tho',
    params: { passkey_id: Uuid },
    status: 204,
    summary: 'Removes a passkey of somebody, who has lost the device, or did not make it.',
    run: (ctx, { params }) => removeKeyOfPerson(ctx, params.passkey_id),
  }),
]
