/** How the name of a region of AWS is written. */
export const regionForm = /^[a-z0-9-]+$/;
