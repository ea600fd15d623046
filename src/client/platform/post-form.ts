/**
 * Sends a form and answers what comes back as JSON.
 * @throws Error with the server's sentence; TypeError when no answer came
 */
export async function postForm<Answer>(url: string, form: FormData): Promise<Answer> {
  const response = await fetch(url, { method: 'POST', body: form })
  if (!response.ok) throw new Error((await response.text()) || response.statusText)
  return response.json()
}
