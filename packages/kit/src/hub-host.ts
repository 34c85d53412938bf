/** Whether a host is Hugging Face's: the only ones that may see HF_TOKEN. */
export function isHubHost(hostname: string): boolean {
  return hostname === 'huggingface.co' || hostname.endsWith('.huggingface.co');
}
