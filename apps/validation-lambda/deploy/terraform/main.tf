# The validation lambda in a Terraform configuration: the stack of ../template.yaml, with this zip and these state
# machines, which a bucket holds by their content.

terraform {
  required_version = ">= 1.5"
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = ">= 5.0"
    }
  }
}

variable "base_url" {
  description = "The URL of the service, without /v1."
  type        = string
}

variable "partner_id" {
  description = "The partner's identifier, which the service gave you."
  type        = string
}

variable "secret_arn" {
  description = "The ARN of the Secrets Manager secret with the partner's secret key."
  type        = string
}

variable "parameters" {
  description = "Further parameters of ../template.yaml, by their names there."
  type        = map(string)
  default     = {}
}

locals {
  # The files that the template names, and where they are.
  files = {
    "../dist/validation-lambda.zip" = "${path.module}/../../dist/validation-lambda.zip"
    "audit.asl.json"                = "${path.module}/../audit.asl.json"
    "parallel-audit.asl.json"       = "${path.module}/../parallel-audit.asl.json"
    "proposals.asl.json"            = "${path.module}/../proposals.asl.json"
  }
  uris = {
    for name, object in aws_s3_object.file : name => "s3://${object.bucket}/${object.key}"
  }
  code_uri      = "CodeUri: ../dist/validation-lambda.zip"
  audit_uri     = "DefinitionUri: audit.asl.json"
  parallel_uri  = "DefinitionUri: parallel-audit.asl.json"
  proposals_uri = "DefinitionUri: proposals.asl.json"
  template = replace(replace(replace(replace(file("${path.module}/../template.yaml"),
    local.code_uri, "CodeUri: ${local.uris["../dist/validation-lambda.zip"]}"),
    local.audit_uri, "DefinitionUri: ${local.uris["audit.asl.json"]}"),
    local.parallel_uri, "DefinitionUri: ${local.uris["parallel-audit.asl.json"]}"),
  local.proposals_uri, "DefinitionUri: ${local.uris["proposals.asl.json"]}")
}

resource "aws_s3_bucket" "files" {
  bucket_prefix = "validation-lambda-"
}

resource "aws_s3_bucket_public_access_block" "files" {
  bucket                  = aws_s3_bucket.files.id
  block_public_acls       = true
  block_public_policy     = true
  ignore_public_acls      = true
  restrict_public_buckets = true
}

resource "aws_s3_object" "file" {
  for_each = local.files
  bucket   = aws_s3_bucket.files.id
  key      = "${filesha256(each.value)}/${basename(each.value)}"
  source   = each.value
}

resource "aws_cloudformation_stack" "validation" {
  name          = "validation"
  template_body = local.template
  capabilities  = ["CAPABILITY_IAM", "CAPABILITY_AUTO_EXPAND"]
  parameters = merge(var.parameters, {
    BaseUrl   = var.base_url
    PartnerId = var.partner_id
    SecretArn = var.secret_arn
  })
}

output "stack" {
  description = "The outputs of the stack: the function's name and URL, the queue, the topic and the state machines."
  value       = aws_cloudformation_stack.validation.outputs
}
